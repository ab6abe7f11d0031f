import { type Command, EXIT, readPositionals, textOf } from '../command.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import {
  awaitInterrupt,
  DEFAULT_HOST,
  DEFAULT_PORT,
  listen,
  logTo,
  readPort,
  SERVICE_BUSY_TIMEOUT_MS,
} from '../serving.ts';

/** `budgetd serve`. */
export const serve: Command = {
  usage: `serve [--host ${DEFAULT_HOST}] [--port ${DEFAULT_PORT}]`,
  summary: 'runs the service until it is told to stop (Ctrl-C, SIGTERM)',
  details: `
  --host H   the address to listen on; ${DEFAULT_HOST} is this machine only
  --port P   ${DEFAULT_PORT} unless given; 0 picks a free one

It speaks plain HTTP: for other machines put a proxy with TLS before it. Told to
stop, it answers what is under way and closes; told again, it ends at once.
Commands may work on the same database while it runs. A second \`serve\` on the
same file is refused.`,
  options: { host: { type: 'string' }, port: { type: 'string' } },
  async run(call) {
    readPositionals(call);
    const { io, json, database } = call;
    const host = textOf(call, 'host') ?? DEFAULT_HOST;
    const port = readPort(call) ?? DEFAULT_PORT;
    const service = await call.openService({
      exclusive: true,
      busyTimeoutMs: SERVICE_BUSY_TIMEOUT_MS,
      // It would keep every command out for as long as it runs.
      unshared: false,
      log: logTo(io),
    });
    const url = await listen(service, { host, port });
    const { interrupted, forget } = awaitInterrupt(io);
    if (json) printJson(io, { url });
    else printLines(io, `budgetd serves ${database} at ${url}, until Ctrl-C`);
    await interrupted;
    printNotes(io, 'Stopping once what is under way is answered; Ctrl-C again ends it at once.');
    await service.close();
    forget();
    return EXIT.done;
  },
};
