import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EXAMPLE_REQUEST_ID } from '../../src/api/examples.ts';
import { buildOpenApi } from '../../src/api/openapi.ts';
import type { Example, Response } from '../../src/api/openapi-document.ts';
import { requestTimeout } from '../../src/http/parser-errors.ts';
import { storageFailure } from '../../src/store/database.ts';
import { startService, Wire } from '../http/wire.ts';
import { ExampleWorld } from './example-world.ts';

const DOCUMENT = buildOpenApi();
const { components, 'x-catalogue': catalogue } = DOCUMENT;

describe('the examples match the answers of a service:', () => {
  it('the documents of reads and pushes, in chronological order', async (t) => {
    const world = await ExampleWorld.open(t);
    const example = (path: string, method: 'get' | 'post', name: string, status = '200') => {
      const found = DOCUMENT.paths[path]?.[method]?.responses[status] ?? assert.fail();
      const media = resolve<Response>(found).content?.['application/json'];
      return resolve<Example>(media?.examples[name] ?? assert.fail(name)).value;
    };
    const path = '/api/v1/transactions';
    const body = DOCUMENT.paths[path]?.post?.requestBody?.content['application/json'];
    const { value } = resolve<Example>(body?.examples['twoRows'] ?? assert.fail());
    const { rows } = value as { rows: { externalId: string }[] };
    const [rent] = rows;
    const bad = { externalId: 'INV-2', date: '30/01/2026', description: 'S', amount: '85,50' };

    world.clock.now = '2026-01-31T12:00:00.000Z';
    assert.deepEqual(await world.ask(path, rows), example(path, 'post', 'created'));
    world.clock.now = '2026-01-31T12:30:00.000Z';
    world.allocate();
    world.clock.now = '2026-02-02T09:00:00.000Z';
    const pay = {
      externalId: 'PAY-1',
      date: '2026-01-28',
      description: 'Sessional pay',
      amount: 840.5,
      accountCode: '7000',
      hours: 41,
    };
    const mixed = await world.ask(path, [{ ...rent, amount: 1250 }, pay, bad]);
    assert.deepEqual(mixed, example(path, 'post', 'mixed'));
    const good = { ...bad, date: '2026-01-30', amount: 85.5 };
    const dry = await world.ask(`${path}?dryRun=true`, [good]);
    assert.deepEqual(dry, example(path, 'post', 'dryRun'));
    assert.deepEqual(
      anonymous(await world.ask(path, [bad])),
      example(path, 'post', 'all_rows_rejected', '422'),
    );

    const projects = '/api/v1/projects';
    const one = `${projects}/prj_0000000001`;
    const reads = [
      [projects, projects, 'projects'],
      [one, `${projects}/{id}`, 'project'],
      [`${one}/report`, `${projects}/{id}/report`, 'monthly'],
      [`${one}/report?granularity=quarterly`, `${projects}/{id}/report`, 'quarterly'],
      [`${one}/allocations`, `${projects}/{id}/allocations`, 'allocations'],
      [`${path}?limit=2`, path, 'page'],
      ['/healthz', '/healthz', 'example'],
      ['/readyz', '/readyz', 'example'],
    ] as const;
    for (const [target, place, name] of reads) {
      const answer = withCursor(await world.ask(target));
      assert.deepEqual(answer, example(place, 'get', name), target);
    }
  });

  it('the refusals', async (t) => {
    const found = await provokeRefusals(t);
    for (const { code } of catalogue.refusals) {
      if (code === 'all_rows_rejected') continue;
      assert.deepEqual(anonymous(found[code]), components.examples[code]?.value, code);
    }
  });
});

/** A refusal with every code: provoked, or built if that would need a broken machine. */
async function provokeRefusals(t: TestContext): Promise<Record<string, unknown>> {
  let tickMs = 0;
  const world = await ExampleWorld.open(t, () => tickMs);
  const { service, organisationId, url } = world;
  const port = Number(new URL(url).port);
  const found: Record<string, unknown> = {};
  const note = (document: unknown) => {
    found[(document as { code: string }).code] = document;
  };
  const ask = async (line: string, fields: readonly string[], body = '', key = world.key) => {
    const wire = new Wire(port);
    t.after(() => wire.socket.destroy());
    const head = [`${line} HTTP/1.1`, 'Host: test', ...fields];
    if (key !== '') head.push(`Authorization: Bearer ${key}`);
    wire.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    note(JSON.parse((await wire.reply()).body));
  };
  const push = (body: string, type = 'application/json') => {
    const fields = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
    return ask('POST /api/v1/transactions', fields, body);
  };
  const list = 'GET /api/v1/projects';
  const key = service.keys.create(organisationId, { name: 'gone', scopes: ['projects:read'] });
  service.keys.revoke(organisationId, key.id);

  await ask(list, ['Host: other']);
  await ask(`${list}?limit=%zz`, []);
  await ask(`${list}?limit=0`, []);
  await ask(`${list}?cursor=x`, []);
  await ask(list, [], '', '');
  await ask(list, [], '', 'x');
  await ask(list, [], '', key.key);
  await ask(list, [], '', world.addKey(['projects:read'], '2025-12-01'));
  await ask(list, [], '', world.addKey(['transactions:read']));
  await ask(`${list}/prj_0000000009`, []);
  await ask('DELETE /api/v1/projects', []);
  await ask(list, ['Expect: tea']);
  await ask(list, [`X-Long: ${'x'.repeat(20_000)}`]);
  await push('\xff');
  await push('{"rows": ');
  await push('{"rows":[]}');
  await push('{}', 'text/plain');
  await ask('POST /api/v1/transactions', [
    'Content-Type: application/json',
    'Content-Length: 5000000',
  ]);
  const newer = new Wire(port);
  t.after(() => newer.socket.destroy());
  newer.write('GET / HTTP/3.0\r\nHost: test\r\n\r\n');
  note(JSON.parse((await newer.reply()).body));
  const fast = world.addKey(['projects:read']);
  for (let sent = 0; sent < 120; sent += 1) await ask(list, [], '', fast);
  tickMs = 37_000;
  await ask(list, [], '', fast);
  service.organisations.setPlan(organisationId, 'starter');
  await ask(list, []);

  const fail = () => {
    throw new Error('a bug');
  };
  const broken = await startService(t, [{ method: 'GET', path: '/bug', handler: fail }]);
  note(await (await fetch(`${broken.url}/bug`)).json());
  for (const code of ['SQLITE_FULL', 'SQLITE_BUSY']) {
    note(documentOf(storageFailure(Object.assign(new Error(code), { code }))));
  }
  note(documentOf(requestTimeout()));
  return found;
}

function documentOf(failure: { code: string; message: string } | undefined): unknown {
  const { code, message } = failure ?? assert.fail();
  return { code, message, requestId: '', details: [] };
}

function anonymous(document: unknown): unknown {
  return { ...(document as object), requestId: EXAMPLE_REQUEST_ID };
}

/** Replaces the cursor: any opaque cursor matches the example. */
function withCursor(document: unknown): unknown {
  const { meta, ...rest } = document as { meta?: { nextCursor: string | null } };
  if (typeof meta?.nextCursor !== 'string') return document;
  return { ...rest, meta: { nextCursor: components.parameters['cursor']?.example } };
}

function resolve<Part extends object>(part: Part | { $ref: string }): Part {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.split('/').slice(2);
  const parts: Record<string, unknown> = Object(Object(components)[kind]);
  return (parts[name] ?? assert.fail(part.$ref)) as Part;
}
