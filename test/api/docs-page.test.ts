import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { highlight } from '../../build/reference/highlight.ts';
import { listOperations } from '../../build/reference/operations.ts';
import { buildPage } from '../../build/reference/page.ts';
import { inline, prose } from '../../build/reference/prose.ts';
import { ADDRESS, requestOrigin } from '../../src/docs/routes.ts';
import { escapeHtml } from '../../src/http/html.ts';
import { findReached } from '../arrows.ts';
import { arrival, Wire, type WireReply } from '../http/wire.ts';
import { listFiles, readText } from '../repository.ts';
import { DOCUMENT, openExampleWorld } from './example-world.ts';

const PAGE = buildPage(DOCUMENT).text;
const STYLE = readText('dist/src/docs/docs.css');
const STYLES = [...listFiles('src/style'), ...listFiles('src/docs/style')];
const SCRIPT = readText('dist/src/docs/browser/docs.js');
const FILES = [
  ['/docs', 'text/html', PAGE],
  ['/docs.css', 'text/css', STYLES.map(readText).join('\n')],
  ['/docs.js', 'text/javascript', SCRIPT],
  ['/openapi.json', 'application/json', JSON.stringify(DOCUMENT)],
] as const;
const OPERATIONS = listOperations(DOCUMENT);

describe('9: GET /docs', () => {
  it('can load only its own style and script', async (t) => {
    const { url } = await openExampleWorld(t);
    const response = await fetch(`${url}/docs`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(
      response.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    const other = await fetch(`${url}/docs`, { method: 'POST' });
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD']);
  });

  for (const [path, type, text] of FILES) {
    it(`${path} matches the sources and has a tag, also as a 304 or a HEAD`, async (t) => {
      const { url } = await openExampleWorld(t);
      const whole = await fetch(url + path);
      const body = Buffer.from(await whole.arrayBuffer());
      assert.equal(body.toString(), text.replaceAll(ADDRESS, url));
      assert.equal(whole.headers.get('content-type'), `${type}; charset=utf-8`);
      assert.equal(whole.headers.get('content-length'), String(body.length));
      const etag = whole.headers.get('etag') ?? '';
      assert.match(etag, /^"[\x21\x23-\x7e]{20,}"$/);
      for (const [tags, status] of [
        [etag, 304],
        [`W/${etag}`, 304],
        [`"other", ${etag}`, 304],
        ['*', 304],
        ['"other"', 200],
        [etag.slice(1, -1), 200],
      ] as const) {
        for (const method of ['GET', 'HEAD']) {
          const headers = { 'If-None-Match': tags };
          const answer = await fetch(url + path, { method, headers });
          assert.equal(answer.status, status, tags);
          assert.equal((await answer.text()).length > 0, method === 'GET' && status === 200);
          const length = status === 304 ? null : String(body.length);
          assert.equal(answer.headers.get('content-length'), length);
          // A browser applies the fields of a 304, so the policy must be the same.
          for (const name of ['etag', 'content-security-policy', 'x-content-type-options']) {
            assert.equal(answer.headers.get(name), whole.headers.get(name), name);
          }
          assert.equal(answer.headers.get('cache-control'), 'no-cache');
        }
      }
    });
  }

  it('has one text and tag per address', async (t) => {
    const { url } = await openExampleWorld(t);
    const ask = async (host: string) => {
      const headers = { 'X-Forwarded-Proto': host };
      const response = await fetch(`${url}/docs`, { headers });
      return { etag: response.headers.get('etag'), text: await response.text() };
    };
    const [plain, secure, again] = [await ask('http'), await ask('https'), await ask('http')];
    assert.deepEqual(again, plain);
    assert.notEqual(secure.etag, plain.etag);
    assert.equal(secure.text, plain.text.replaceAll(url, url.replace('http', 'https')));
  });

  it('uses no more memory for 2,000 requests on one connection', async (t) => {
    const { url } = await openExampleWorld(t);
    const wire = new Wire(Number(new URL(url).port));
    t.after(() => wire.socket.destroy());
    const request = 'GET /docs HTTP/1.1\r\nHost: a.org\r\n\r\n';
    const tag = `"${(await askOnce(wire, request)).headers['etag']?.slice(1, -1)}"`;
    const before = process.memoryUsage().arrayBuffers;
    wire.socket.pause();
    wire.write(request.repeat(2000));
    await arrival();
    // One page is 200 kB: building it for each request would take 400 MB.
    assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
    assert.match(tag, /^"[\w-]+\.http:\/\/a\.org"$/);
  });

  it('is served without ever loading the builder or TypeBox', () => {
    const sources = new Map(
      listFiles('src').map((file) => [file.slice('src/'.length), readText(file)] as const),
    );
    const reached = findReached('service.ts', sources, ['value', 'lazy']);
    assert.ok(reached.has('docs/routes.ts'));
    const building = [...reached].filter((name) => /^(api\/contract|reference\/)/.test(name));
    assert.deepEqual(building, []);
    // The console needs TypeBox to say what is wrong with a saved mapping.
    const own = findReached('docs/routes.ts', sources, ['value', 'lazy']);
    const first = findReached('service.ts', sources, ['value']);
    const loaded = [...own, ...first].filter((name) => name.startsWith('typebox'));
    assert.deepEqual(loaded, []);
  });

  it('loads nothing from other hosts, and has no inline script or style', () => {
    const targets = [...PAGE.matchAll(/\s(?:href|src|action|srcset)="([^"]*)"/g)];
    const outside = targets
      .map(([, target = '']) => target)
      .filter((target) => !/^(#[\w-]+|docs|docs\.css|docs\.js|openapi\.json)$/.test(target));
    assert.equal(outside.length, 1);
    assert.match(outside[0] ?? '', /^data:image\/svg\+xml,%3Csvg/);
    assert.deepEqual(PAGE.match(/<script[^>]*>/g), ['<script src="docs.js">']);
    assert.doesNotMatch(PAGE, /<style|<iframe|<object|<form|\sstyle=|\son\w+=|javascript:/i);
    assert.doesNotMatch(STYLE, /url\(|@import|expression/i);
    assert.doesNotMatch(SCRIPT, /fetch\(|XMLHttp|WebSocket|import\(|innerHTML|eval|https?:/);
  });

  it('has a search that requires every word and ranks titles first', () => {
    const entry = (kind: string, title: string, text: string) => ({ kind, title, text, id: text });
    const context = createContext({
      document: { documentElement: { classList: { add() {} } }, addEventListener() {} },
      entries: [
        entry('Guide', 'Conventions', 'conventions an amount is a json number'),
        entry('Field', 'allocatedAmount', 'allocatedamount transaction'),
        entry('Field', 'amount', 'amount each row'),
        entry('Code', 'amount_precision', 'amount_precision decimal places'),
      ],
    });
    runInContext(SCRIPT, context);
    const find = (query: string): unknown =>
      runInContext(`findEntries(entries, ${JSON.stringify(query)}).map((e) => e.title)`, context);
    const found = (query: string) => JSON.parse(JSON.stringify(find(query)));
    assert.deepEqual(found('Amount'), [
      'amount',
      'amount_precision',
      'allocatedAmount',
      'Conventions',
    ]);
    assert.deepEqual(found('amount  JSON'), ['Conventions']);
    assert.deepEqual([found('amount nothing'), found(' ')], [[], []]);
  });
});

describe('the page shows', () => {
  for (const { method, path, operation } of OPERATIONS) {
    const { operationId, summary, parameters = [], responses } = operation;
    it(`${operationId} with its parameters, answers and five samples`, () => {
      const section = sectionOf(operationId);
      assert.ok(section.includes(`${method.toUpperCase()}</span> <code>${path}</code>`));
      assert.ok(section.includes(`<h3><a href="#${operationId}">${escapeHtml(summary)}</a></h3>`));
      for (const { $ref: pointer } of parameters) {
        const { name = '' } = DOCUMENT.components.parameters[pointer.split('/').at(-1) ?? ''] ?? {};
        assert.ok(section.includes(`id="${kebab(operationId)}-${kebab(name)}"`), pointer);
        assert.ok(section.includes(`<code>${name}</code>`), pointer);
      }
      for (const status of Object.keys(responses)) {
        assert.ok(section.includes(`<span class="status">${status}</span>`), status);
      }
      const titles = [...section.matchAll(/<p class="language">(.+)<\/p>/g)].map(
        ([, title]) => title,
      );
      assert.deepEqual(titles, ['curl', 'PowerShell', 'Python', 'Node', 'C#']);
    });
  }

  for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
    it(`${name} with an anchor for each member, its values and its format`, () => {
      assert.ok(PAGE.includes(`id="schema-${name}"`));
      const { properties = {}, enum: values = [], format = '' } = schema as ShownSchema;
      for (const [member, { description }] of Object.entries(properties)) {
        const start = PAGE.indexOf(`<div id="${kebab(name)}-${kebab(member)}"`);
        assert.ok(start > 0, member);
        const shown = PAGE.slice(start, PAGE.indexOf('</div>', start));
        assert.ok(description === undefined || shown.includes(inline(description).text), member);
      }
      // The values and format of a scalar are shown wherever it is used, not only once.
      const uses = [...PAGE.matchAll(new RegExp(`#schema-${name}">${name}</a> \\(([^)]*)`, 'g'))];
      for (const [, shown = ''] of uses) {
        for (const value of values) assert.ok(shown.includes(`<code>${value}</code>`), shown);
        assert.ok(shown.includes(format), shown);
      }
      if (values.length > 0 || format !== '') assert.notEqual(uses.length, 0);
    });
  }

  it('the sign of money at the push, and that X-RateLimit-Reset is in seconds', () => {
    const notes = [...PAGE.matchAll(/<p class="callout">(.*?)<\/p>/gs)].map(([, text]) => text);
    assert.ok(/<p class="callout">.*Money out is positive/.test(sectionOf('pushTransactions')));
    assert.ok(notes.some((text) => /X-RateLimit-Reset.*seconds/s.test(text ?? '')));
  });

  it('every code with its example', () => {
    const { refusals, rowErrors, rowWarnings } = DOCUMENT['x-catalogue'];
    const codes = refusals.map(({ code }) => `id="code-${code}"`);
    const rows = [...rowErrors, ...rowWarnings].map(({ code }) => `id="row-${code}"`);
    assert.deepEqual(
      [...codes, ...rows].filter((id) => !PAGE.includes(id)),
      [],
    );
  });
});

describe('the page is readable', () => {
  it('with assistive technology: language, landmarks, a skip link, headings in order', () => {
    assert.match(PAGE, /^<!doctype html>\n<html lang="en">/);
    assert.match(PAGE, /<body>\n<a class="skip" href="#content">/);
    assert.equal(PAGE.match(/<main /g)?.length, 1);
    assert.ok(PAGE.includes('name="viewport" content="width=device-width, initial-scale=1"'));
    const levels = [...PAGE.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
    assert.deepEqual([levels[0], levels.filter((level) => level === 1).length], [1, 1]);
    for (const [at, level] of levels.entries()) {
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `heading ${at} skips a level`);
    }
  });

  it('without its script: nothing is hidden', () => {
    assert.doesNotMatch(PAGE, /\shidden[ =>]|role="tab"/);
    const rules = STYLE.replace(/\/\*.*?\*\//gs, '');
    const hiding = [...rules.matchAll(/([^{}]+)\{[^{}]*display: none/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    );
    // The contents are in the page twice. The search exists only with the script.
    const twice = /^(\.side|\.menu|\.top|\.machine|\.bar|\.copy|\.search .*)$/;
    assert.deepEqual(
      hiding.filter((name) => !name.startsWith('.script ') && !twice.test(name)),
      [],
    );
  });

  it('by its links: each has exactly one target', () => {
    const ids = [...PAGE.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const links = [...PAGE.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      links.filter((id) => !ids.includes(id)),
      [],
    );
    assert.doesNotMatch(JSON.stringify(DOCUMENT), /\]\(\w+\.md/);
  });

  it('as HTML: every element is closed', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of PAGE.matchAll(/<(\/?)([a-z]+\d?)\b[^>]*>/g)) {
      if (['meta', 'link'].includes(name)) continue;
      if (slash === '') open.push(name);
      else assert.equal(open.pop(), name);
    }
    assert.deepEqual(open, []);
  });
});

describe('the address in the samples', () => {
  it('is the address that the client used', async (t) => {
    const { url } = await openExampleWorld(t);
    const page = await (await fetch(`${url}/docs`)).text();
    assert.ok(
      page.includes(`curl</span> -sS <span class="text">&quot;<span class="address">${url}`),
    );
    assert.doesNotMatch(page, /\u{e000}/u);
  });

  const hosts: [host: string, address: string][] = [
    ['budgetd.example.org', 'http://budgetd.example.org'],
    ['Budgetd.Example:8443', 'http://budgetd.example:8443'],
    ['127.0.0.1:80', 'http://127.0.0.1:80'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['my_service', 'http://my_service'],
  ];
  const usual = 'http://127.0.0.1:8080';
  const hostile = [
    ['', 'a b', '"><script>alert(1)</script>', "a'b", 'a/b', 'user@host', 'a:b', 'a:99999'],
    ['a:1:2', '-a', '[::1', '::1', '[x]', 'a..b', `${'a'.repeat(64)}.b`, 'a;b', 'a\\b', 'ä.org'],
    ['$(reboot)', '`reboot`', 'a,b', '$x', 'a#b', 'a?b', 'a%20b', `${'ab.'.repeat(100)}org`],
  ].flat();
  for (const [host, address] of [...hosts, ...hostile.map((host) => [host, usual] as const)]) {
    it(`for Host ${JSON.stringify(host.slice(0, 40))} is ${address}`, () => {
      assert.equal(requestOrigin(requestOf({ host })), address);
    });
  }

  it('is https only if the proxy sends https, which is all that it can change', () => {
    const asked = (proto: string) => requestOf({ host: 'a.org', 'x-forwarded-proto': proto });
    assert.equal(requestOrigin(asked('https')), 'https://a.org');
    assert.equal(requestOrigin(asked('javascript')), 'http://a.org');
    assert.equal(requestOrigin(requestOf({})), usual);
  });

  it('never contains HTML from a Host header', async (t) => {
    const page = await askWithHost(t, 'x"><img src=//evil.example>');
    assert.doesNotMatch(page, /evil/);
    assert.match(page, /"code":"bad_request"/);
  });
});

describe('texts of the page', () => {
  it('are always escaped', () => {
    assert.equal(
      inline('<b> `<i>` **&**').text,
      '&lt;b&gt; <code class="whole">&lt;i&gt;</code> <strong>&amp;</strong>',
    );
    assert.equal(
      prose('a\n\n- b\n- `c`').text,
      '<p>a</p><ul><li>b</li><li><code class="whole">c</code></li></ul>',
    );
    assert.equal(
      prose('> **a `b`**\nc').text,
      '<p class="callout"><strong>a <code class="whole">b</code></strong>\nc</p>',
    );
    assert.equal(
      prose('| a | b |\n|---|---|\n| `c` | <d> |').text.replace(/<\/?(div|thead|tbody)[^>]*>/g, ''),
      '<table><tr><th scope="col">a</th><th scope="col">b</th></tr>' +
        '<tr><td><code class="whole">c</code></td><td>&lt;d&gt;</td></tr></table>',
    );
    assert.equal(
      highlight('"</code>": 1 # <', 'python').text.replace(/<\/?span[^>]*>/g, ''),
      '&quot;&lt;/code&gt;&quot;: 1 # &lt;',
    );
  });
});

interface ShownSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly enum?: readonly string[];
  readonly format?: string;
}

function kebab(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

function sectionOf(operationId: string): string {
  const start = PAGE.indexOf(`<section class="operation" id="${operationId}"`);
  const end = PAGE.indexOf('<section class="operation"', start + 1);
  return PAGE.slice(start, end < 0 ? PAGE.indexOf('id="codes"') : end);
}

function askOnce(wire: Wire, request: string): Promise<WireReply> {
  wire.write(request);
  return wire.reply();
}

function requestOf(headers: Readonly<Record<string, string>>) {
  return { header: (name: string) => headers[name] };
}

async function askWithHost(t: TestContext, host: string): Promise<string> {
  const { url } = await openExampleWorld(t);
  const wire = new Wire(Number(new URL(url).port));
  t.after(() => wire.socket.destroy());
  wire.write(`GET /docs HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return (await wire.reply()).body;
}
