import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { LINK_MINUTES } from '../../core/limits.ts';
import { failureOf } from '../../database/sqlite-errors.ts';
import { createSetUpLink } from '../../operations/links.ts';
import type { Service } from '../../service.ts';
import { settingsUsage, settingValues, warnUnknown } from '../../settings/settings.ts';
import { hasUsers } from '../../store/users.ts';
import type { Call, Command } from '../command.ts';
import { Log } from '../log.ts';
import { printJson, printLines } from '../output.ts';
import { isTerminal } from '../paint.ts';
import {
  awaitInterrupt,
  DEFAULTS,
  linkOf,
  listen,
  listenForMetrics,
  writePlace,
} from '../serving.ts';
import { settingsHelp } from '../settings.ts';

/** The settings of `serve` besides `db`. */
export const SERVE_SETTINGS = [
  'host',
  'port',
  'public-url',
  'trusted-proxies',
  'backup-dir',
  'backup-at',
  'backup-keep',
  'min-free-disk',
  'log',
  'log-addresses',
  'metrics',
] as const;

const serve: Command = {
  name: 'serve',
  summary: 'runs the service until Ctrl-C or SIGTERM',
  usage: settingsUsage(SERVE_SETTINGS),
  details: `
${settingsHelp(SERVE_SETTINGS)}

Each is also a variable, such as BUDGETD_PORT, and a line in the settings file;
see \`budgetd config --help\`.

The service speaks plain HTTP. To reach it from other machines, put a proxy with
TLS in front. Each request is a line on standard error. On Ctrl-C it finishes
open requests and stops; a second Ctrl-C stops it immediately. Commands can use
the same database while it runs. A second \`serve\` on the same file is refused.`,
  settings: SERVE_SETTINGS,
  shared: ['db', 'config', 'json'],
  async run(call) {
    // The space for new objects stays small. It could grow to 48 MB, which a flood would fill. The
    // thread that makes checkpoints sets this back, and what pushes need is then not made old.
    setFlagsFromString('--semi-space-growth-factor=1');
    // Old objects take at most twice what is in use before V8 collects them. It would wait for four
    // times as much, which imports of large files fill with what they no longer use.
    setFlagsFromString('--heap-growing-percent=100');
    const { io, json, database, settings } = call;
    const values = settingValues(settings);
    const { host, port, 'trusted-proxies': trustedProxies, metrics } = values;
    const log = new Log(io, values.log);
    try {
      for (const warning of warnUnknown(io.env)) log.note('warning', warning);
      const service = await call.openService({
        exclusive: true,
        trustedProxies,
        publicUrl: values['public-url'] === '' ? undefined : values['public-url'],
        busyTimeoutMs: DEFAULTS.busyTimeoutMs,
        minFreeDisk: values['min-free-disk'],
        backups: {
          folder: backupFolder(call),
          at: values['backup-at'],
          keep: values['backup-keep'],
        },
        notify: ({ kind, message }) => log.note(kind, message),
        logAddresses: values['log-addresses'] === 'yes',
        onRequest: (request) => log.request(request),
        log: (event) => log.failure(event),
      });
      if (metrics !== '') {
        const address = await listenForMetrics(service, metrics, () => log.droppedLines);
        log.note('metrics', `Metrics are at ${address}/metrics.`);
      }
      const url = await listen(service, { host, port });
      const { 'public-url': publicUrl } = values;
      const removePlace = writePlace(database, publicUrl === '' ? url : publicUrl);
      const { interrupted, forget } = awaitInterrupt(io);
      const token = makeSetUpLink(service);
      const setUpUrl = token === undefined ? undefined : linkOf(values, token, url);
      if (json) printJson(io, { url, setUpUrl });
      else {
        const advice = isKept(io) ? '' : ' Press Ctrl-C to stop.';
        printLines(io, `Serving ${database}. Listening on ${url}.${advice}`);
      }
      if (setUpUrl !== undefined && !json) log.note('set_up', explainSetUp(setUpUrl));
      await interrupted;
      const advice = isKept(io) ? '' : ' Press Ctrl-C again to stop immediately.';
      log.note('stopping', `Finishing open requests.${advice}`);
      removePlace();
      await service.close();
      forget();
    } finally {
      await log.close();
    }
  },
};

/** Whether systemd or a container keeps what is written, and nobody can press a key. */
function isKept({ env, stderr }: Call['io']): boolean {
  return (env['JOURNAL_STREAM'] ?? env['container']) !== undefined && !isTerminal(stderr);
}

/**
 * The token of a new set-up link while the database has no user, else undefined: also when it
 * cannot be written, because reading must work on a full disk.
 */
function makeSetUpLink(service: Service): string | undefined {
  try {
    return hasUsers(service.source) ? undefined : createSetUpLink(service.source, service.actor());
  } catch (error) {
    if (failureOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** What to do with a link that sets up the first user. */
function explainSetUp(link: string): string {
  const lack = 'Nobody can sign in yet. To set up the first user, open this link';
  return `${lack} within ${LINK_MINUTES} minutes: ${link}`;
}

/** The default is beside the database, wherever the command runs. */
export function backupFolder({ io, database, settings }: Call): string {
  const { value, from } = settings.find(({ name }) => name === 'backup-dir') ?? {};
  return resolve(from === 'default' ? dirname(database) : io.cwd, String(value));
}

export const commands = [serve];
