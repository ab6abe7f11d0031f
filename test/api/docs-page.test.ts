import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Script } from 'node:vm';
import { buildOpenApi } from '../../src/api/openapi.ts';
import { addressOf } from '../../src/docs/address.ts';
import { highlight } from '../../src/docs/highlight.ts';
import { listOperations } from '../../src/docs/operations.ts';
import { buildPage } from '../../src/docs/page.ts';
import { inline, prose } from '../../src/docs/prose.ts';
import { SCRIPT } from '../../src/docs/script.ts';
import { STYLE } from '../../src/docs/style.ts';
import { escapeHtml } from '../../src/http/html.ts';
import { Wire } from '../http/wire.ts';
import { ExampleWorld } from './example-world.ts';

const DOCUMENT = buildOpenApi();
const PAGE = buildPage(DOCUMENT).text;
const OPERATIONS = listOperations(DOCUMENT);

describe('9: GET /docs', () => {
  it('is a page that may load its own style and script and nothing else', async (t) => {
    const { url } = await ExampleWorld.open(t);
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
    const head = await fetch(`${url}/docs`, { method: 'HEAD' });
    const { length } = Buffer.from(await response.text());
    assert.equal(head.headers.get('content-length'), String(length));
    const other = await fetch(`${url}/docs`, { method: 'POST' });
    assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD']);
  });

  for (const [path, type, text] of [
    ['/docs.css', 'text/css', STYLE],
    ['/docs.js', 'text/javascript', SCRIPT],
  ] as const) {
    it(`has its own ${path}`, async (t) => {
      const { url } = await ExampleWorld.open(t);
      const response = await fetch(url + path);
      assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`);
      assert.equal(await response.text(), text);
    });
  }

  it('asks no other host, and has no script or style in its text', () => {
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

  it('has a script that parses', () => {
    assert.ok(new Script(SCRIPT));
  });
});

describe('the page shows', () => {
  for (const { method, path, operation } of OPERATIONS) {
    const { operationId, summary, parameters = [], responses } = operation;
    it(`${operationId} with its parameters, answers and four samples`, () => {
      const section = sectionOf(operationId);
      assert.ok(section.includes(`${method.toUpperCase()}</span> <code>${path}</code>`));
      assert.ok(section.includes(`<h3 id="${operationId}-title">${escapeHtml(summary)}</h3>`));
      for (const { $ref: pointer } of parameters) {
        const { name } = DOCUMENT.components.parameters[pointer.split('/').at(-1) ?? ''] ?? {};
        assert.ok(section.includes(`<dt><code>${name}</code>`), pointer);
      }
      for (const status of Object.keys(responses)) {
        assert.ok(section.includes(`<span class="status">${status}</span>`), status);
      }
      const titles = [...section.matchAll(/<h5>(\w+)<\/h5>/g)].map(([, title]) => title);
      assert.deepEqual(titles, ['curl', 'PowerShell', 'Python', 'Node']);
    });
  }

  it('every code with its example, and every schema with its members', () => {
    const { refusals, rowErrors, rowWarnings } = DOCUMENT['x-catalogue'];
    const codes = refusals.map(({ code }) => `id="code-${code}"`);
    const rows = [...rowErrors, ...rowWarnings].map(({ code }) => `id="row-${code}"`);
    const schemas = Object.keys(DOCUMENT.components.schemas).map((name) => `id="schema-${name}"`);
    assert.deepEqual(
      [...codes, ...rows, ...schemas].filter((id) => !PAGE.includes(id)),
      [],
    );
  });
});

describe('the page can be read', () => {
  it('by everybody: language, landmarks, a skip link first, headings in order', () => {
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
    const hiding = STYLE.split('\n').filter((line) => line.includes('display: none'));
    const phone = ['.side', '.top'];
    for (const line of hiding) {
      assert.ok(line.startsWith('.script ') || phone.some((name) => line.includes(name)), line);
    }
  });

  it('through its links: each leads to one place', () => {
    const ids = [...PAGE.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const links = [...PAGE.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      links.filter((id) => !ids.includes(id)),
      [],
    );
  });

  it('as HTML: every element that is opened is closed', () => {
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
  it('is the one that the page was asked for by', async (t) => {
    const { url } = await ExampleWorld.open(t);
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
      assert.equal(addressOf(requestOf({ host })), address);
    });
  }

  it('is https only where the proxy says so, and nothing else is taken from it', () => {
    const asked = (proto: string) => requestOf({ host: 'a.org', 'x-forwarded-proto': proto });
    assert.equal(addressOf(asked('https')), 'https://a.org');
    assert.equal(addressOf(asked('javascript')), 'http://a.org');
    assert.equal(addressOf(requestOf({})), usual);
  });

  it('is never what an attacker puts into a header', async (t) => {
    const page = await askWithHost(t, 'x"><img src=//evil.example>');
    assert.doesNotMatch(page, /evil/);
    assert.ok(page.includes(`<code class="address">${usual}</code>`));
  });
});

describe('texts of the page', () => {
  it('are escaped, whatever they hold', () => {
    assert.equal(
      inline('<b> `<i>` **&**').text,
      '&lt;b&gt; <code class="whole">&lt;i&gt;</code> <strong>&amp;</strong>',
    );
    assert.equal(
      prose('a\n\n- b\n- `c`').text,
      '<p>a</p><ul><li>b</li><li><code class="whole">c</code></li></ul>',
    );
    assert.equal(
      highlight('"</code>": 1 # <', 'python').text.replace(/<\/?span[^>]*>/g, ''),
      '&quot;&lt;/code&gt;&quot;: 1 # &lt;',
    );
  });
});

function sectionOf(operationId: string): string {
  const start = PAGE.indexOf(`<section class="operation" id="${operationId}"`);
  const end = PAGE.indexOf('<section class="operation"', start + 1);
  return PAGE.slice(start, end < 0 ? PAGE.indexOf('id="codes"') : end);
}

function requestOf(headers: Readonly<Record<string, string>>) {
  return { header: (name: string) => headers[name] };
}

async function askWithHost(t: TestContext, host: string): Promise<string> {
  const { url } = await ExampleWorld.open(t);
  const wire = new Wire(Number(new URL(url).port));
  t.after(() => wire.socket.destroy());
  wire.write(`GET /docs HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return (await wire.reply()).body;
}
