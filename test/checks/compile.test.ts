import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { compileChecks } from '../../build/checks/compile.ts';
import { isCalendarDate } from '../../src/core/calendar.ts';
import { listFiles, ROOT, readText } from '../repository.ts';

type Check = (value: unknown) => boolean;

/** The checks of a module, loaded from its text. */
async function load(text: string): Promise<Record<string, Check>> {
  const absolute = text.replaceAll("'../", `'file://${ROOT}dist/src/`);
  const { checks } = await import(`data:text/javascript,${encodeURIComponent(absolute)}`);
  return checks;
}

describe('a compiled check', () => {
  const Line = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 3, pattern: '^[^\\n]*$' }),
    'due-date': Type.Optional(Type.String({ format: 'date' })),
    'paid by': Type.Optional(Type.Object({ name: Type.String() })),
    paid: Type.Optional(Type.Refine(Type.String(), isCalendarDate, () => 'no day')),
    kind: Type.Optional(Type.Enum(['in', '"x" in value'])),
    months: Type.Optional(Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Integer())),
  });
  const Closed = Type.Object({ format: Type.Null() }, { additionalProperties: false });

  it('accepts what its schema accepts', async () => {
    const checks = await load(compileChecks({ Line, Closed }));
    const cases: [name: string, value: unknown, accepted: boolean][] = [
      ['Line', { name: 'abc' }, true],
      ['Line', { name: '😀😀😀' }, true],
      ['Line', { name: '😀😀😀😀' }, false],
      ['Line', { name: '' }, false],
      ['Line', { name: 'a\n' }, false],
      ['Line', { name: 'a', 'due-date': '2024-02-29' }, true],
      ['Line', { name: 'a', 'due-date': '2023-02-29' }, false],
      ['Line', { name: 'a', paid: '2199-12-31' }, true],
      ['Line', { name: 'a', paid: '2200-01-01' }, false],
      ['Line', { name: 'a', kind: 'in' }, true],
      ['Line', { name: 'a', kind: '"x" in value' }, true],
      ['Line', { name: 'a', kind: 'out' }, false],
      ['Line', { name: 'a', 'paid by': { name: 'b' } }, true],
      ['Line', { name: 'a', 'paid by': {} }, false],
      ['Line', { name: 'a', months: { 1: 2 } }, true],
      ['Line', { name: 'a', months: { 1: 2.5 } }, false],
      ['Line', [], false],
      ['Line', null, false],
      ['Closed', { format: null }, true],
      ['Closed', { format: null, other: null }, false],
    ];
    for (const [name, value, accepted] of cases) {
      assert.equal(checks[name]?.(value), accepted, `${name} ${JSON.stringify(value)}`);
    }
  });

  it('accepts own members only', async () => {
    const { Line: isLine } = await load(compileChecks({ Line }));
    assert.equal(isLine?.(Object.create({ name: 'abc' })), false);
    assert.equal(isLine?.(Object.assign(Object.create({ paid: 7 }), { name: 'abc' })), true);
  });

  it('loads nothing but functions of our own', () => {
    const rooms = listFiles('src').filter((file) => file.endsWith('/checks.d.ts'));
    assert.ok(rooms.includes('src/core/checks.d.ts'));
    for (const file of rooms) {
      const built = readText(`dist/${file.replace('.d.ts', '.js')}`);
      const imported = [...built.matchAll(/\bfrom '([^']+)'/g)].map(([, name = '']) => name);
      assert.deepEqual(
        imported.filter((name) => !name.startsWith('../core/')),
        [],
      );
    }
  });
});

describe('a schema is not compiled', () => {
  const cases: [what: string, schema: Type.TSchema, message: RegExp][] = [
    ['with a format that is not ours', Type.String({ format: 'email' }), /format email/],
    ['with a function that is not ours', Type.Refine(Type.String(), () => true), /not \(\) =>/],
    ['if TypeBox needs a helper for it', Type.Number({ multipleOf: 0.1 }), /wrote Guard/],
  ];
  for (const [what, schema, message] of cases) {
    it(what, () => assert.throws(() => compileChecks({ Wrong: schema }), message));
  }
});
