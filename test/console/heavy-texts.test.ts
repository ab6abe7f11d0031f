/**
 * Texts of which careless programs die, as long as a request can have them: in every field of every
 * form, every member of every query, every header field that is read and every member of a pushed
 * row. What is tried comes from the tables of routes, from the pages and from what the code asks
 * for, so new fields are tried too. Runs with BUDGETD_HEAVY_TESTS=1, because it measures the
 * processor's time, which a busy machine can falsify.
 */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ENDPOINTS } from '../../src/api/routes.ts';
import { OPEN_PAGES, PAGES } from '../../src/console/routes.ts';
import { formatId } from '../../src/core/ids.ts';
import { BODY_BYTES, FORMS, IMPORTS } from '../../src/core/limits.ts';
import { ROW_MEMBERS } from '../../src/core/row-members.ts';
import { DOCS_ROUTES } from '../../src/docs/routes.ts';
import { Form } from '../../src/http/form.ts';
import { SIZES } from '../../src/http/settings.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { IS_HEAVY, IS_SLOW } from '../repetitions.ts';
import { listFiles, readText } from '../repository.ts';
import { Attack } from './heavy.ts';
import type { Fields, Text } from './heavy-sender.ts';
import { TRAPS } from './heavy-texts.ts';
import { type FoundForm, readPage } from './read-page.ts';
import { UNMEASURED } from './turns.ts';
import { routeFor } from './walk-pages.ts';

const skip = IS_HEAVY ? (UNMEASURED ?? false) : 'heavy';
/** Some bytes less than a limit, for names and what is around them. */
const MARGIN = 256;
/** What comes first on a request line and in the other header fields. */
const HEAD_BYTES = 2_048;

/** Of a text in a file. */
const FILE_TEXT_BYTES = 2 * 1024 * 1024;
/** Of a project in whose cells is what is wrong. */
const LINES = 500;

type Row = (typeof OPEN_PAGES | typeof PAGES)[number];

/** The form of a row as a page shows it now; without fields if none does. */
async function formOf(attack: Attack, { path }: Row): Promise<FoundForm> {
  const isOwn = ({ method, action }: FoundForm) => {
    return method === 'POST' && routeFor('POST', action) === `POST ${path}`;
  };
  for (const { path: place, page } of attack.walk.pages) {
    if (!page.forms.some(isOwn)) continue;
    const { text } = await attack.enter().get(place);
    const form = text === '' ? undefined : readPage(text, place).forms.find(isOwn);
    if (form !== undefined) return form;
  }
  const held = attack.heldPath.split('/').at(-1) ?? '';
  return { method: 'POST', action: path.replace('{id}', held), fields: [] };
}

/** The names of the fields that its page shows, and of those that the code asks for. */
async function namesOf(test: TestContext, attack: Attack, row: Row): Promise<string[]> {
  const names = new Set((await formOf(attack, row)).fields.map(([name]) => name));
  const { value, values } = Form.prototype;
  test.mock.method(Form.prototype, 'value', function ask(this: Form, name: string) {
    names.add(name);
    return value.call(this, name);
  });
  test.mock.method(Form.prototype, 'values', function ask(this: Form, name: string) {
    names.add(name);
    return values.call(this, name);
  });
  const { action, fields } = await formOf(attack, row);
  await attack.send({ method: 'POST', url: action, form: fields });
  test.mock.restoreAll();
  // What is unknown does what the form does: it comes last.
  return [...names, 'unknown'];
}

describe('a heavy text in a form', { skip }, () => {
  it('holds nothing, in any field and in any name, alone or with others', async (test) => {
    const attack = await Attack.open(test);
    const send = async (row: Row, what: string, change: (fields: Fields) => Fields) => {
      const { action, fields } = await formOf(attack, row);
      const form = change(fields);
      await attack.hit(`${row.path} ${what}`, { method: 'POST', url: action, form });
    };
    for (const row of [...OPEN_PAGES, ...PAGES].filter(({ method }) => method === 'POST')) {
      const { formBytes = FORMS.bytes, fieldBytes = FORMS.bytes } = row;
      const names = await namesOf(test, attack, row);
      const most = Math.min(fieldBytes, formBytes - 10_000) - MARGIN;
      const without = (fields: Fields, name: string) => fields.filter(([each]) => each !== name);
      for (const name of names) {
        for (const trap of attack.traps()) {
          const text: Text = [trap, most];
          await send(row, `${name}: ${trap}`, (fields) => [...without(fields, name), [name, text]]);
        }
      }
      const share = Math.min(most, Math.floor((formBytes - 10_000) / names.length) - MARGIN);
      const often = Math.min(20_000, Math.floor((formBytes - 10_000) / 100));
      for (const trap of attack.traps()) {
        await send(row, `as a name: ${trap}`, (fields) => [...fields, [[trap, most], '']]);
        await send(row, `everywhere: ${trap}`, () => names.map((name) => [name, [trap, share]]));
        const last = names.at(-2) ?? '';
        await send(row, `${often} times ${last}: ${trap}`, (fields) => [
          ...without(fields, last),
          ...Array.from({ length: often }, () => [last, [trap, 80]] as const),
        ]);
      }
    }
  });
});

describe('a wrong amount in every cell of a large project', { skip }, () => {
  it('holds nothing, and the page lists the first ones', async (test) => {
    const attack = await Attack.open(test);
    const { access } = attack.world;
    const budgetLines = Array.from({ length: LINES }, (_, at) => ({ name: `Line ${at}` }));
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const draft = { name: 'Largest', ...days, budgetLines };
    const [project] = importProjects(access, draft, attack.office.service.actor());
    const url = `/projects/${formatId('prj', project?.id ?? 0)}/edit`;
    const { text } = await attack.enter().get(url);
    const { fields = [] } = readPage(text, url).forms.find(({ action }) => action === url) ?? {};
    const cells = fields.filter(([name]) => name.startsWith('bln_'));
    assert.equal(cells.length, 12 * LINES);
    const details = fields.filter(([name]) => !name.startsWith('bln_') && name !== 'next');
    for (const wrong of ['x', '"\'"\'"\'', '1.1.1']) {
      const form = [...details, ...cells.map(([name]) => [name, wrong] as const)];
      const answer = await attack.hit(`all ${wrong}`, { method: 'POST', url, form });
      assert.equal(answer.status, 422);
      assert.match(answer.text, /<li>And 5980 more\.<\/li>/);
      assert.equal(answer.text.match(/aria-invalid="true"/g)?.length, 12 * LINES);
    }
  });
});

/** Every address that answers a GET, with the members that its queries can have. */
function addressesOf(attack: Attack): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (path: string, names: Iterable<string>) => {
    const known = found.get(path) ?? new Set(['unknown', 'done', 'cursor', 'token', 'to', 'from']);
    for (const name of names) known.add(name);
    found.set(path, known);
  };
  for (const { path, page } of attack.walk.pages) {
    const [own = '', query] = path.split('?', 2);
    add(own, new URLSearchParams(query).keys());
    for (const link of [...page.links, ...page.forms.map(({ action }) => action)]) {
      const [target = '', members] = link.split('?', 2);
      if (routeFor('GET', target) !== undefined) add(target, new URLSearchParams(members).keys());
    }
    for (const { method, action, fields } of page.forms) {
      if (method === 'GET')
        add(
          action,
          fields.map(([name]) => name),
        );
    }
  }
  for (const { method, path } of OPEN_PAGES) if (method === 'GET') add(path, []);
  for (const { path } of DOCS_ROUTES) add(path, []);
  for (const { method, path, parameters } of ENDPOINTS) {
    if (method === 'GET') add(path.replace('{id}', formatId('prj', 1)), Object.keys(parameters));
  }
  return found;
}

describe('a heavy text in an address', { skip }, () => {
  it('holds nothing, in any member of a query and in any path', async (test) => {
    const attack = await Attack.open(test);
    const most = SIZES.headerBytes - HEAD_BYTES;
    for (const [path, names] of addressesOf(attack)) {
      const share = Math.floor(most / names.size) - MARGIN / 4;
      for (const name of names) {
        for (const trap of attack.traps()) {
          const query = [[name, [trap, most]]] as const;
          await attack.hit(`${path} ${name}: ${trap}`, { method: 'GET', url: path, query });
        }
      }
      for (const trap of attack.traps()) {
        const query = [...names].map((name) => [name, [trap, share]] as const);
        await attack.hit(`${path} everywhere: ${trap}`, { method: 'GET', url: path, query });
        const asName = { method: 'GET', url: path, query: [[[trap, most], '']] } as const;
        await attack.hit(`${path} as a name: ${trap}`, asName);
        const part = encodeURIComponent(TRAPS[trap]?.[1] ?? '');
        const url = `${path}/${part.repeat(Math.floor((most - path.length) / part.length))}`;
        await attack.hit(`${path}/…: ${trap}`, { method: 'GET', url });
      }
    }
  });
});

/** The header fields that the code asks for. */
function listHeaderFields(): readonly string[] {
  const source = listFiles('src')
    .filter((file) => file.endsWith('.ts'))
    .map(readText)
    .join('\n');
  const asked = source.matchAll(/\bheaders?(?:\(|\[|\.)'?([a-z-]+)'?(?=[)\]; ])/g);
  const names = new Set([...asked].map(([, name = '']) => name));
  for (const name of ['cookie', 'host', 'accept-language', 'content-type', 'x-forwarded-for']) {
    assert.ok(names.has(name), name);
  }
  return [...names];
}

describe('a heavy text in a header field', { skip }, () => {
  it('holds nothing, wherever it is sent', async (test) => {
    const attack = await Attack.open(test);
    const places = [
      ...['', 'transactions', 'sign-in', 'docs', 'docs.css', 'nothing'].map(
        (each) => `GET /${each}`,
      ),
      ...['sign-in', 'import', 'account/format'].map((each) => `POST /${each}`),
      ...ENDPOINTS.map(({ method, path }) => `${method} ${path}`),
    ];
    let turn = 0;
    for (const name of listHeaderFields()) {
      turn += 1;
      const chosen = IS_SLOW ? places : [places[turn % places.length] ?? ''];
      for (const place of chosen) {
        const [method, url = ''] = place.split(' ') as ['GET' | 'POST', string];
        const rest = method === 'POST' ? { form: [['a', 'b']] as const } : {};
        for (const trap of attack.traps()) {
          const headers = [[name, [trap, SIZES.headerBytes - HEAD_BYTES]]] as const;
          await attack.hit(`${place} ${name}: ${trap}`, { method, url, headers, ...rest });
        }
      }
    }
  });
});

describe('a heavy text in a push', { skip }, () => {
  it('holds nothing, in any member, as a name and as anything else', async (test) => {
    const attack = await Attack.open(test);
    const row = { externalId: 'A', date: '2026-01-01', description: 'Rent', amount: 1 };
    const url = '/api/v1/transactions';
    const most = BODY_BYTES - MARGIN;
    for (const name of [...Object.keys(ROW_MEMBERS), 'currency', 'unknown', 'name']) {
      for (const trap of attack.traps()) {
        const isPlain = !/["\\\p{Cc}]/u.test((TRAPS[trap] ?? []).join(''));
        const heavy: Text = [isPlain ? trap : 'one letter', most];
        const marked = name === 'name' ? { ...row, '@': 1 } : { ...row, [name]: '@' };
        const [before = '', after = ''] = JSON.stringify({ rows: [marked] }).split('@');
        const json = [before, heavy, after];
        await attack.hit(`${name}: ${trap}`, { method: 'POST', url, json });
      }
    }
    for (const before of ['', '{"rows":', '{"rows":[', '{"rows":[{"externalId":"A","amount":']) {
      for (const trap of attack.traps()) {
        const json = [before, [trap, most]] as const;
        await attack.hit(`${before}: ${trap}`, { method: 'POST', url, json });
      }
    }
  });
});

describe('a heavy text in a file', { skip }, () => {
  it('holds nothing, as a column, in a cell, as a line and as the whole file', async (test) => {
    const attack = await Attack.open(test);
    const rows = '2026-01-02,Rent,1200.50\n2026-01-03,Power,99.95\n';
    const places: Readonly<Record<string, readonly [string, string]>> = {
      column: ['Date,Text,Amount,', `\n2026-01-01,Hall,5.25,x\n`],
      text: [`Date,Text,Amount\n${rows}2026-01-01,`, ',5.25\n'],
      date: [`Date,Text,Amount\n${rows}`, ',Hall,5.25\n'],
      amount: [`Date,Text,Amount\n${rows}2026-01-01,Hall,`, '\n'],
      'first line': ['', `\nDate,Text,Amount\n${rows}`],
      'last line': [`Date,Text,Amount\n${rows}`, ''],
      file: ['', ''],
    };
    for (const [place, [before, after]] of Object.entries(places)) {
      for (const trap of attack.traps()) {
        const file = ['a.csv', before, [trap, FILE_TEXT_BYTES], after] as const;
        const what = `${place}: ${trap}`;
        const sent = await attack.hit(what, { method: 'POST', url: '/import', form: [], file });
        assert.ok([303, 422].includes(sent.status), `${what}: ${sent.status} ${sent.text}`);
        if (sent.location === undefined) continue;
        await attack.hit(`${what}: page`, { method: 'GET', url: sent.location });
      }
    }
  });

  it('holds nothing and takes little memory, as the largest that is accepted', async (test) => {
    const attack = await Attack.open(test);
    const head = 'Date,Text,Amount\n2026-01-02,Rent,1200.50\n';
    for (const trap of ['rows of currency signs', 'currency signs']) {
      const file = ['a.csv', head, [trap, IMPORTS.fileBytes - MARGIN]] as const;
      const what = `20 MB: ${trap}`;
      const sent = await attack.hit(what, { method: 'POST', url: '/import', form: [], file });
      assert.equal(sent.status, 303, sent.text);
      const before = process.resourceUsage().maxRSS;
      await attack.hit(`${what}: page`, { method: 'GET', url: sent.location ?? '' });
      const more = (process.resourceUsage().maxRSS - before) / 1024;
      assert.ok(more < 150, `${what}: ${more.toFixed(0)} MB`);
    }
  });
});
