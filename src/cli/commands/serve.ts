import type { Command } from '../command.ts';
import { optionText, readPositionals, withValue } from '../options.ts';
import { printJson, printLines, printNotes } from '../output.ts';
import { awaitInterrupt, DEFAULTS, listen, logTo, readPort } from '../serving.ts';

/** `budgetd serve`. */
export const serve: Command = {
  usage:
    `serve [--host ${DEFAULTS.host}] [--port ${DEFAULTS.port}] ` +
    '[--trusted-proxies ADDR[,ADDR]]',
  details: `
  --host H   the address to listen on (default ${DEFAULTS.host}: this machine only)
  --port P   the port (default ${DEFAULTS.port}); 0 picks a free one
  --trusted-proxies ADDR[,ADDR]
             the addresses of your proxies, such as 10.0.0.5 or 10.0.0.0/8;
             their connections are not limited per address

The service speaks plain HTTP. To reach it from other machines, put a proxy with
TLS in front. On Ctrl-C it finishes open requests and stops; a second Ctrl-C
ends it at once. Commands can use the same database while it runs. A second
\`serve\` on the same file is refused.`,
  options: withValue('host', 'port', 'trusted-proxies'),
  async run(call) {
    readPositionals(call);
    const { io, json, database } = call;
    const host = optionText(call, 'host') ?? DEFAULTS.host;
    const port = readPort(call) ?? DEFAULTS.port;
    const trustedProxies = optionText(call, 'trusted-proxies')?.split(',') ?? [];
    const service = await call.openService({
      exclusive: true,
      trustedProxies: trustedProxies.map((address) => address.trim()),
      busyTimeoutMs: DEFAULTS.busyTimeoutMs,
      // An unshared database would lock out every command while the service runs.
      unshared: false,
      log: logTo(io),
    });
    const url = await listen(service, { host, port });
    const { interrupted, forget } = awaitInterrupt(io);
    if (json) printJson(io, { url });
    else printLines(io, `Serving ${database}. Listening on ${url}. Press Ctrl-C to stop.`);
    await interrupted;
    printNotes(io, 'Finishing open requests. Press Ctrl-C again to stop at once.');
    await service.close();
    forget();
  },
};
