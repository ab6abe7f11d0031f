/** Runs nginx and Caddy as `budgetd print` configures them, on free ports. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { connect } from 'node:tls';
import { Terminal } from '../cli/terminal.ts';

export type ProxyKind = 'nginx' | 'caddy';

/** A proxy with TLS in front of a service on this machine. */
export interface RunningProxy {
  readonly url: string;
  readonly port: number;
  /** Of the server without TLS. */
  readonly plainPort: number;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  /** The log of requests. */
  readonly log: string;
}

/** Why the tests of a proxy cannot run here; false if they can. */
export function whyNot(kind: ProxyKind): string | false {
  const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
  if (!isThere('openssl', 'version')) return 'no openssl';
  return isThere(kind, kind === 'nginx' ? '-v' : 'version') ? false : `no ${kind}`;
}

/** Starts a proxy in front of `port`, and stops it after the test. */
export async function startProxy(
  t: TestContext,
  kind: ProxyKind,
  port: number,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-proxy-'));
  const key = join(folder, 'privkey.pem');
  const certificate = join(folder, 'fullchain.pem');
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`;
  spawnSync('openssl', request.split(/\s+/));
  const { text } = (await new Terminal(t).json([
    ...['print', kind, '--site', 'localhost', '--port', String(port)],
  ])) as { text: string };
  const [plain, own] = await findPorts();
  const place = { folder, key, certificate, plain, own };
  const child = kind === 'nginx' ? startNginx(text, place) : startCaddy(text, place);
  let notes = '';
  child.stderr?.on('data', (data: Buffer) => {
    notes += data.toString();
  });
  t.after(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await isListening(own))) {
    if (child.exitCode !== null) throw new Error(`${kind} ended: ${notes}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    ...{ url: `https://localhost:${own}`, port: own, plainPort: plain, certificate },
    log: join(folder, LOG),
  };
}

const LOG = 'budgetd.log';

interface Place {
  readonly folder: string;
  readonly key: string;
  readonly certificate: string;
  readonly plain: number;
  readonly own: number;
}

/** Replaces what belongs to a machine, which must be there. */
function adapt(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((adapted, [pattern, replacement]) => {
    if (!pattern.test(adapted)) throw new Error(`the configuration has no ${pattern}`);
    return adapted.replace(pattern, replacement);
  }, text);
}

function startNginx(text: string, { folder, key, certificate, plain, own }: Place): ChildProcess {
  const server = adapt(text, [
    [/ {4}listen \[::\].*\n/g, ''],
    [/listen 80;/, `listen 127.0.0.1:${plain};`],
    [/listen 443 ssl;/, `listen 127.0.0.1:${own} ssl;`],
    [/\S+fullchain\.pem/, certificate],
    [/\S+privkey\.pem/, key],
    [/\/var\/log\/nginx\/budgetd\.log/g, join(folder, LOG)],
  ]);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const folders = kinds.map((each) => `${each}_temp_path ${join(folder, each)};`).join('\n');
  const file = join(folder, 'main.conf');
  const user = process.geteuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    file,
    `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr; worker_processes 1;
     events {} http { ${folders}\n${server} }`,
  );
  return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file], { stdio: 'pipe' });
}

function startCaddy(text: string, { folder, key, certificate, own }: Place): ChildProcess {
  const site = adapt(text, [
    [/^localhost \{$/m, `https://localhost:${own} {\n\ttls ${certificate} ${key}`],
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  return spawn('caddy', args, { stdio: 'pipe', env });
}

async function findPorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await once(server.close(), 'close');
  return [ports[0] ?? 0, ports[1] ?? 0];
}

async function isListening(port: number): Promise<boolean> {
  const socket = connectTo(port);
  const isOpen = await Promise.race([
    once(socket, 'secureConnect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

/** A connection with TLS for exact bytes. */
export function connectTo(port: number) {
  return connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
}
