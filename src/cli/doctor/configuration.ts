/** Looks at the settings of `serve` and at the variables beside them. */

import { isIP } from 'node:net';
import { type Settings, warnUnknown } from '../../settings/settings.ts';
import type { Io } from '../command.ts';
import { type Finding, finding } from './finding.ts';

/** What the settings do that nobody may have meant. */
export function examineSettings({ host, metrics }: Settings, env: Io['env']): Finding[] {
  const findings: Finding[] = [];
  if (!isThisMachine(host)) {
    const message = `serve listens on ${host} without TLS: keys and data can be read on the way.`;
    const fix = 'Put a proxy with TLS in front, and serve with --host 127.0.0.1';
    findings.push(finding('open_to_network', message, fix));
  }
  const address = metrics.slice(0, metrics.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
  if (metrics !== '' && !isThisMachine(address)) {
    const message = `Everybody who reaches ${metrics} can read the metrics.`;
    const port = metrics.slice(metrics.lastIndexOf(':') + 1);
    findings.push(finding('metrics_open', message, `--metrics 127.0.0.1:${port}`));
  }
  const unknown = warnUnknown(env).map((message) => {
    const variable = message.split(' ', 1).join('');
    return finding('unknown_setting', message, `unset ${variable}`);
  });
  return [...findings, ...unknown];
}

/** Whether only programs on this machine reach an address. */
function isThisMachine(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return host.startsWith('127.') || host === '::1';
}
