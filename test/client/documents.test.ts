import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { writeDocumentTypes } from '../../build/client/document-types.ts';
import { listQueries } from '../../build/reference/queries.ts';
import type * as contract from '../../src/api/contract.ts';
import type * as client from '../../src/client/index.ts';
import { DOCUMENT } from '../api/example-world.ts';
import { readText } from '../repository.ts';

/** Compares the types of the contract and the client by name: `false` if they differ. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
const SAME: readonly true[] = [
  true satisfies Same<contract.ProjectList, client.ProjectList>,
  true satisfies Same<contract.ProjectDocument, client.ProjectDocument>,
  true satisfies Same<contract.ReportDocument, client.ReportDocument>,
  true satisfies Same<contract.AllocationList, client.AllocationList>,
  true satisfies Same<contract.TransactionList, client.TransactionList>,
  true satisfies Same<contract.PushRow, client.PushRow>,
  true satisfies Same<contract.PushAnswer, client.PushAnswer>,
];

describe('the types of budgetd/client', () => {
  it('match the OpenAPI document', () => {
    const text = writeDocumentTypes(DOCUMENT.components.schemas, listQueries());
    assert.equal(readText('src/client/documents.ts'), text);
    assert.equal(SAME.length, 7);
  });

  it('have a doc comment on every public type and member, also in the .d.ts', () => {
    const index = readDeclarations('index');
    const exported = [
      ...index.matchAll(/export (?:type )?(?:\{([^}]*)\}|\*) from '\.\/([\w-]+)\.ts'/g),
    ];
    assert.ok(exported.length > 4);
    let count = 0;
    for (const [, some, module = ''] of exported) {
      const lines = readDeclarations(module).split('\n');
      const all = lines.map((line) => /^export (?:declare )?\w+ (\w+)/.exec(line)?.[1] ?? '');
      const names = some?.split(',').map((each) => each.replace('type ', '').trim()) ?? all;
      for (const name of names.filter((each) => each !== '')) {
        assert.deepEqual(listUndocumented(lines, name), [], `${module}: ${name}`);
        count += 1;
      }
    }
    assert.ok(count > 50);
  });

  it('are searched correctly for missing comments', () => {
    const lines = [
      'export interface A {',
      '    /** b */',
      '    b: string;',
      '    c: {',
      '    };',
      '}',
    ];
    assert.deepEqual(listUndocumented(lines, 'A'), ['export interface A {', 'c: {']);
    assert.deepEqual(listUndocumented(lines, 'B'), ['B is missing']);
  });

  it('state the sign of every amount', () => {
    const text = readDeclarations('documents');
    const amounts = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(\w+): number;/g)];
    const ofMoney = amounts.filter(([, comment = '']) => comment.includes('major units'));
    const names = new Set(ofMoney.map(([, , name]) => name));
    for (const name of ['amount', 'previousAmount', 'allocatedAmount', 'budgeted', 'actual']) {
      assert.ok(names.has(name), name);
    }
    for (const [all, comment = ''] of ofMoney) {
      assert.match(
        comment,
        /money\s+(?:\*\s+)?out[\s\S]*money\s+(?:\*\s+)?in[\s\S]*negative/i,
        all,
      );
    }
  });
});

function readDeclarations(module: string): string {
  return readFileSync(new URL(`../../src/client/${module}.d.ts`, import.meta.url), 'utf8');
}

/** The declaration of a name, and its members, that have no doc comment. */
function listUndocumented(lines: readonly string[], name: string): string[] {
  const declaration = new RegExp(
    `^export (?:declare )?(?:interface|type|class|const|function) ${name}\\b`,
  );
  const start = lines.findIndex((line) => declaration.test(line));
  if (start < 0) return [`${name} is missing`];
  const isWhole = !/\{$/.test(lines[start] ?? '');
  const end = isWhole ? start + 1 : lines.indexOf('}', start);
  return lines
    .slice(start, end)
    .filter((line, at) => {
      const isMember = at === 0 || /^\s+(?:readonly )?(?!private)\w+\??[:(<]/.test(line);
      return isMember && !/\*\/\s*$/.test(lines[start + at - 1] ?? '');
    })
    .map((line) => line.trim());
}
