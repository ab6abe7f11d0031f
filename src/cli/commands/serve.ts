import { dirname, resolve } from 'node:path';
import { settingsUsage, valuesOf, warnUnknown } from '../../settings/settings.ts';
import type { Call, Command } from '../command.ts';
import { Log } from '../log.ts';
import { readPositionals } from '../options.ts';
import { printJson, printLines } from '../output.ts';
import { awaitInterrupt, DEFAULTS, listen, listenForMetrics } from '../serving.ts';
import { settingsHelp } from '../settings.ts';

/** The settings of `serve` besides `db`. */
export const SERVE_SETTINGS = [
  'host',
  'port',
  'trusted-proxies',
  'backup-dir',
  'backup-at',
  'backup-keep',
  'min-free-disk',
  'log',
  'metrics',
] as const;

/** `budgetd serve`. */
export const serve: Command = {
  usage: `serve ${settingsUsage(SERVE_SETTINGS)}`,
  details: `
${settingsHelp(SERVE_SETTINGS)}

Each is also a variable, such as BUDGETD_PORT, and a line in the settings file;
see \`budgetd config --help\`.

The service speaks plain HTTP. To reach it from other machines, put a proxy with
TLS in front. Each request is a line on standard error. On Ctrl-C it finishes
open requests and stops; a second Ctrl-C ends it at once. Commands can use the
same database while it runs. A second \`serve\` on the same file is refused.`,
  options: {},
  settings: SERVE_SETTINGS,
  async run(call) {
    readPositionals(call);
    const { io, json, database, settings } = call;
    const values = valuesOf(settings);
    const { host, port, 'trusted-proxies': trustedProxies, metrics } = values;
    const log = new Log(io, values.log);
    try {
      for (const warning of warnUnknown(io.env)) log.note('warning', warning);
      const service = await call.openService({
        exclusive: true,
        trustedProxies,
        busyTimeoutMs: DEFAULTS.busyTimeoutMs,
        minFreeDisk: values['min-free-disk'],
        backups: {
          folder: backupFolder(call),
          at: values['backup-at'],
          keep: values['backup-keep'],
        },
        notify: ({ kind, message }) => log.note(kind, message),
        onRequest: (request) => log.request(request),
        log: (event) => log.failure(event),
      });
      if (metrics !== '') {
        const address = await listenForMetrics(service, metrics, () => log.droppedLines);
        log.note('metrics', `Metrics are at ${address}/metrics.`);
      }
      const url = await listen(service, { host, port });
      const { interrupted, forget } = awaitInterrupt(io);
      if (json) printJson(io, { url });
      else printLines(io, `Serving ${database}. Listening on ${url}. Press Ctrl-C to stop.`);
      await interrupted;
      log.note('stopping', 'Finishing open requests. Press Ctrl-C again to stop at once.');
      await service.close();
      forget();
    } finally {
      await log.close();
    }
  },
};

/** The default is beside the database, wherever the command runs. */
export function backupFolder({ io, database, settings }: Call): string {
  const { value, from } = settings.find(({ name }) => name === 'backup-dir') ?? {};
  return resolve(from === 'default' ? dirname(database) : io.cwd, String(value));
}
