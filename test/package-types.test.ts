/** The declarations of the package, and the TypeScript of its pages, as its users compile them. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { installPackage, runNode } from './packed.ts';
import { listBlocks, ROOT, readText } from './repository.ts';

/** The TypeScript blocks of the documents, each as a module. */
const BLOCKS = ['README.md', 'docs/client.md'].flatMap((file) =>
  listBlocks(readText(file), 'ts').map((text, index) => ({
    name: `${basename(file, '.md').toLowerCase()}-${index + 1}`,
    text,
  })),
);
/** An app in CommonJS, such as most with Express are, and its test. */
const COMMONJS = `
  import { createService, Failure, type Seeded } from 'budgetd';
  import { BudgetdError, createClient, type Report } from 'budgetd/client';

  export function createApp(url: string, key: string) {
    const client = createClient({ url, key });
    return async (_: unknown, response: { json(body: unknown): void }) => {
      try {
        response.json(await client.projects.list());
      } catch (error) {
        response.json(error instanceof BudgetdError ? error.code : String(error));
      }
    };
  }
  export async function open(project: unknown): Promise<Seeded<'app'> | string> {
    const { createService: imported } = await import('budgetd');
    if (imported !== createService) throw new Error('There are two.');
    const service = await createService({ database: ':memory:' });
    try {
      return service.seed({ keys: { app: ['projects:read'] }, projects: [project as never] });
    } catch (error) {
      return error instanceof Failure ? error.message : 'other';
    } finally {
      await service.close();
    }
  }
  export const total = ({ totals }: Report) => totals.total.actual;
  open({}).then(console.log);`;
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  types: [],
  // Not the declarations of the language: checking those takes most of the time.
  skipDefaultLibCheck: true,
};
const PROJECTS = {
  node16: { ...STRICT, module: 'node16', outDir: 'out' },
  bundler: {
    ...STRICT,
    module: 'esnext',
    moduleResolution: 'bundler',
    noEmit: true,
    // They are checked above; here only whether a user finds what they name.
    skipLibCheck: true,
  },
};

const folder = installPackage();
for (const { name, text } of BLOCKS) writeFileSync(join(folder, `${name}.mts`), text);
writeFileSync(join(folder, 'commonjs.cts'), COMMONJS);
for (const [name, compilerOptions] of Object.entries(PROJECTS)) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions }));
}

describe('the types of the package', () => {
  it('send their readers to the pages of the package, which has no specification', () => {
    const types = join(folder, 'node_modules/budgetd/dist/types');
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' });
    const sections = files
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) => readFileSync(join(types, file), 'utf8').split('\n'))
      .filter((line) => /\b(?:spec|contract) \d|specification|\((?:spec|contract)\b/i.test(line));
    assert.deepEqual(sections, []);
    assert.ok(files.includes('index.d.ts'));
  });

  for (const compiler of ['typescript', 'typescript-5.0']) {
    const { version } = JSON.parse(readText(`node_modules/${compiler}/package.json`));
    for (const project of Object.keys(PROJECTS)) {
      it(`compiles in a strict project with TypeScript ${version} and ${project}`, () => {
        const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
        const { status, stdout } = runNode(folder, tsc, '-p', `${project}.json`);
        assert.equal(stdout, '');
        assert.equal(status, 0);
      });
    }
  }

  for (const { name } of BLOCKS) {
    it(`runs: TypeScript of a document, ${name}`, () => {
      const { status, stderr } = runNode(folder, `out/${name}.mjs`);
      assert.equal(status, 0, stderr);
    });
  }

  it('runs: TypeScript in CommonJS', () => {
    const { stdout, stderr } = runNode(folder, 'out/commonjs.cjs');
    assert.match(stdout, /\bname: This is required/, stderr);
  });
});
