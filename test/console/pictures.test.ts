import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ROOT, readText } from '../repository.ts';
import { PICTURES_FOLDER, SHAPE_FILE, shapeOfReport } from './pictures.ts';

describe('the pictures of the README', () => {
  const files = readdirSync(ROOT + PICTURES_FOLDER).filter((name) => name.endsWith('.png'));

  it('are not older than the page', async (test) => {
    const advice = 'take them again: npm run shots -- --readme';
    assert.equal(readText(SHAPE_FILE).trim(), await shapeOfReport(test), advice);
  });

  it('are one for a light and one for a dark screen, and together below 200 kB', () => {
    assert.deepEqual(files.sort(), ['report-dark.png', 'report-light.png']);
    for (const name of files) assert.ok(readText('README.md').includes(`pictures/${name}"`), name);
    const bytes = files.map((name) => statSync(`${ROOT}${PICTURES_FOLDER}/${name}`).size);
    assert.ok(bytes.reduce((sum, each) => sum + each, 0) < 200_000, bytes.join(' + '));
  });
});
