/**
 * The steps that `budgetd print container` prints: run by podman or docker where one of them has
 * the base image, and read everywhere.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Terminal } from './cli/terminal.ts';
import { pack } from './packed.ts';
import { IS_SLOW } from './repetitions.ts';
import { ROOT } from './repository.ts';
import { until } from './upkeep/until.ts';

const PORT = 18_473;
const text = run('sh', '-c', `node bin/budgetd print container --port ${PORT}`).stdout;
const [, base = ''] = /^FROM (\S+)$/m.exec(text) ?? [];

/** The commands of the first comment, a continued one in one line. */
const steps = text
  .slice(0, text.indexOf('\n\n'))
  .replace(/ \\\n# +/g, ' ')
  .split('\n')
  .flatMap((line) => /^# {3}(.+)$/.exec(line)?.[1] ?? []);

describe('the container', () => {
  it('is built, has its database before it serves, and then a link', () => {
    assert.deepEqual(steps, [
      'npm ci && npm pack && budgetd print container > Containerfile',
      'podman build --format docker -t budgetd . && podman volume create budgetd',
      'podman run --rm -v budgetd:/data budgetd init --name "Harbour Trust" --currency GBP',
      `podman run -d --name budgetd -v budgetd:/data -p 127.0.0.1:${PORT}:8080 ` +
        `-e BUDGETD_PUBLIC_URL=http://127.0.0.1:${PORT} budgetd`,
      'podman exec budgetd budgetd set-up-link',
    ]);
    assert.match(text, /^HEALTHCHECK CMD \["node", /m);
    assert.match(text, /^ENTRYPOINT \["budgetd"\]\nCMD \["serve"\]$/m);
  });

  it('has advice of doctor that fits', async (context) => {
    const terminal = new Terminal(context);
    await terminal.run(['init', '--name', 'Well', '--currency', 'GBP']);
    for (const [url, fix] of [
      ['http://127.0.0.1:8080', undefined],
      ['https://budget.example.org', undefined],
      ['http://budget.example.org', /Publish its port with -p 127\.0\.0\.1:8080:8080, and /],
    ] as const) {
      const argv = ['doctor', '--host', '0.0.0.0', '--public-url', url];
      const { stdout } = await terminal.run(argv, { env: { container: 'oci' } });
      if (fix === undefined) assert.doesNotMatch(stdout, /open_to_network/);
      else assert.match(stdout, fix);
    }
  });

  const engine = ['podman', 'docker'].find((each) => {
    const hasBase = run(each, 'image', 'inspect', base).status === 0;
    // A machine can have an engine and still not let containers run.
    return IS_SLOW && hasBase && run(each, 'run', '--rm', base, 'node', '--version').status === 0;
  });
  const why = IS_SLOW ? `no podman or docker here runs ${base}` : 'slow';
  const skip = engine !== undefined && process.getuid?.() === 0 ? false : why;

  it('does what its steps say, and its health is looked at', { skip }, async (t) => {
    const own = `budgetd-test-${process.pid}`;
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-container-'));
    const say = (step: string) => {
      const command = step
        .replace(/\bpodman\b/g, engine ?? '')
        .replace(engine === 'docker' ? ' --format docker' : /$^/, '')
        .replace(/(:\/data|\d) budgetd\b/g, `$1 ${own}`)
        .replace(/(-t|create|--name|-v|exec) budgetd\b/g, `$1 ${own}`);
      const { status, stdout, stderr } = run('sh', '-c', `cd ${folder} && ${command}`);
      assert.equal(status, 0, `${command}\n${stdout}${stderr}`);
      return stdout;
    };
    t.after(() => {
      for (const what of ['container', 'volume', 'image']) run(engine ?? '', what, 'rm', '-f', own);
      rmSync(folder, { recursive: true });
    });
    pack(ROOT, folder);
    writeFileSync(join(folder, 'Containerfile'), text);
    const [, build = '', init = '', serve = '', link = ''] = steps;
    say(build);
    assert.match(say(init), /^Created Harbour Trust /);
    say(serve);
    const url = `http://127.0.0.1:${PORT}`;
    await until(() => run('curl', '--silent', '--fail', `${url}/readyz`).status === 0);
    assert.ok(say(link).startsWith(`${url}/set-up?token=`));
    // It is looked at every 30 seconds; podman does so at once when asked.
    if (engine === 'podman') say('podman healthcheck run budgetd'.replace('budgetd', own));
    const doctor = run(engine ?? '', 'exec', own, 'budgetd', 'doctor', '--json');
    const codes = JSON.parse(doctor.stdout).findings.map(({ code }: { code: string }) => code);
    assert.ok(!codes.includes('open_to_network'), doctor.stdout);
  });
});

function run(program: string, ...argv: string[]) {
  return spawnSync(program, argv, { cwd: ROOT, encoding: 'utf8' });
}
