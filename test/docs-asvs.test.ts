/** docs/asvs.md, and those of its lines that only the sources can show. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { listFiles, ROOT, readText } from './repository.ts';

const DOCUMENT = readText('docs/asvs.md');
/** The requirements of levels 1 and 2, each with its level. */
const REQUIREMENTS = readText('test/asvs.txt').trimEnd().split('\n');
const STATES = ['met', 'n.a.', 'open'];

interface Line {
  readonly number: string;
  readonly state: string;
  readonly cell: string;
}

/** The lines of the tables; those of the Top 10 have no level. */
const LINES: Line[] = [...DOCUMENT.matchAll(/^\| (?:API)?\d.*$/gm)].map(([text]) => {
  const cells = text.split('|').map((cell) => cell.trim());
  const [, number = ''] = cells;
  const [state = '', cell = ''] = cells.slice(-3);
  return { number, state, cell };
});
const ASVS = LINES.filter(({ number }) => !number.startsWith('API'));

const testsOf = ({ cell }: Line): string[] => {
  return [...cell.matchAll(/`([a-z\d-]+(?:\/[a-z\d-]+)*)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !NOT_TESTS.includes(name));
};
/** Other words in code that look like the name of a test. */
const NOT_TESTS = ['trusted-proxies', 'crypto', 'no-referrer', 'same-origin', 'no-store'];

describe('docs/asvs.md', () => {
  it('has each requirement of levels 1 and 2 once, in order, with its level', () => {
    const rows = [...DOCUMENT.matchAll(/^\| (\d\S*) \| (\d) \|/gm)];
    assert.deepEqual(
      rows.map(([, number, level]) => `${number} ${level}`),
      REQUIREMENTS,
    );
  });

  it('has the ten risks of the Top 10', () => {
    const risks = LINES.filter((line) => !ASVS.includes(line)).map(({ number }) => number);
    assert.deepEqual(
      risks,
      Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
    );
  });

  it('counts its lines', () => {
    const [met, applicable, open] = STATES.map(
      (wanted) => ASVS.filter(({ state }) => state === wanted).length,
    );
    const first = REQUIREMENTS.filter((each) => each.endsWith(' 1')).length;
    const counts = `${met} met, ${applicable} not applicable, ${open} open`;
    const all = `${REQUIREMENTS.length} requirements, ${first} of them of level 1: ${counts}.`;
    assert.ok(DOCUMENT.includes(`\n${all}\n`), all);
  });

  it('names a test for what is met, a reason for the rest, and only tests that exist', () => {
    for (const line of LINES) {
      const { number, state, cell } = line;
      assert.ok(STATES.includes(state) && cell !== '', number);
      if (state === 'met') assert.notEqual(testsOf(line).length, 0, number);
      const missing = testsOf(line).filter((name) => !existsSync(`${ROOT}test/${name}.test.ts`));
      assert.deepEqual(missing, [], number);
      if (state === 'open') assert.match(cell, /[pP]lanned|2\.4\.1|12\.3\.1/, number);
    }
  });

  it('is where those who look for it begin', () => {
    for (const file of ['README.md', 'SECURITY.md', 'docs/security.md']) {
      assert.match(readText(file), /asvs\.md/, file);
    }
  });
});

describe('in the sources', () => {
  it('the package has neither tests nor benchmarks, and nothing of the repository', () => {
    const { files } = JSON.parse(readText('package.json')) as { files: string[] };
    assert.deepEqual(
      files.filter((file) => /(?:^|\/)(?:test|bench|interop|\.\w+)(?:\/|$)|^dist\/?$/.test(file)),
      [],
    );
  });

  const sources = listFiles('src').filter((file) => file.endsWith('.ts'));
  /** What a pattern finds, each once, with its file if that is wanted. */
  const find = (pattern: RegExp): string[] => {
    const found = sources.flatMap((file) => {
      return [...readText(file).matchAll(pattern)].map(([, what]) => what ?? file);
    });
    return [...new Set(found)].sort();
  };

  it('no text is run as a program', () => {
    assert.deepEqual(find(/\beval\(|\bnew Function\(|node:vm'/g), []);
    assert.deepEqual(find(/'node:child_process'/g), ['src/upkeep/nightly.ts']);
    const nightly = readText('src/upkeep/nightly.ts');
    assert.match(nightly, /^import \{ type ChildProcess, spawn \} from 'node:child_process';$/m);
    assert.deepEqual(nightly.match(/\bspawn\([^)]*|\bshell\b/g), [
      nightly.match(/\bspawn\(program, args, \{[^)]*/)?.[0],
    ]);
  });

  it('only the client and the scripts of pages send requests', () => {
    assert.deepEqual(find(/(?<!#)\bfetch\(/g), [
      'src/client/settings.ts',
      'src/client/transport.ts',
      'src/console/browser/fetched.ts',
    ]);
    const imported = sources.flatMap((file) => {
      const lists = readText(file).matchAll(
        /^import \{(.*)\} from 'node:(?:https?\d?|net|tls|d.*)'/gm,
      );
      return [...lists].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
    });
    const values = imported.filter((name) => !name.startsWith('type '));
    assert.deepEqual([...new Set(values)].sort(), [
      'BlockList',
      'STATUS_CODES',
      'Server as NetServer',
      'SocketAddress',
      'createServer',
      'isIP',
      'isIPv6',
    ]);
  });

  it('the browser keeps the place in a list and the language of samples', () => {
    assert.deepEqual(find(/\w+Storage\.setItem\((\w+)/g), ['KEPT', 'LANGUAGE_KEY']);
    assert.deepEqual(find(/indexedDB|document\.cookie/g), []);
  });

  it('only SHA-256 and AES-256-GCM are used, and SHA-1 in the codes of RFC 6238', () => {
    assert.deepEqual(find(/(?:createHash|createHmac|hkdfSync)\('(\w+)'/g), ['sha1', 'sha256']);
    assert.deepEqual(find(/createHash\('(\w+)'/g), ['sha256']);
    assert.deepEqual(find(/create(?:C|Dec)ipher\w*\((\w+)/g), ['CIPHER']);
    assert.deepEqual(find(/const CIPHER = '(.*)'/g), ['aes-256-gcm']);
  });
});
