/** Looks at the settings of `serve` and at the variables beside them. */

import { isIP } from 'node:net';
import type { Settings } from '../../settings/inputs.ts';
import { type Setting, settingValues, variableOf, warnUnknown } from '../../settings/settings.ts';
import type { Io } from '../command.ts';
import { type DoctorFinding, finding } from './finding.ts';

/**
 * Finds settings with an effect that nobody may have meant. In a container, `container` is in the
 * environment.
 */
export function examineSettings(settings: readonly Setting[], env: Io['env']): DoctorFinding[] {
  const values = settingValues(settings);
  const unknown = warnUnknown(env).map((message) => {
    const variable = message.split(' ', 1).join('');
    return finding('unknown_setting', message, `unset ${variable}`);
  });
  return [
    ...findHost(values, env['container'] !== undefined),
    ...findMetrics(values),
    ...findPublicUrl(values),
    ...findUnused(values, settings),
    ...unknown,
  ];
}

/** Whether people reach the service from other machines. */
export function isReached({ host, 'public-url': publicUrl }: Settings): boolean {
  return !isThisMachine(host) || publicUrl !== '';
}

function findHost(
  { host, 'public-url': publicUrl }: Settings,
  isContainer: boolean,
): DoctorFinding[] {
  if (isThisMachine(host)) return [];
  if (isContainer) return findPublished(publicUrl);
  const message = `serve listens on ${host} without TLS: keys and data can be intercepted.`;
  const fix = 'Put a proxy with TLS in front, and serve with --host 127.0.0.1';
  return [finding('open_to_network', message, fix)];
}

/** In a container the service must listen on its network: what is published decides. */
function findPublished(publicUrl: string): DoctorFinding[] {
  if (publicUrl.startsWith('https:') || isThisMachine(hostOf(publicUrl))) return [];
  const message = 'No setting says how people reach this container: keys could be intercepted.';
  const fix =
    'Publish its port with -p 127.0.0.1:8080:8080, and set BUDGETD_PUBLIC_URL to the https ' +
    'address of the proxy in front, or to http://127.0.0.1:8080';
  return [finding('open_to_network', message, fix)];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
}

function findMetrics({ metrics, host, port }: Settings): DoctorFinding[] {
  if (metrics === '') return [];
  const colon = metrics.lastIndexOf(':');
  const address = metrics.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const own = Number(metrics.slice(colon + 1));
  const findings: DoctorFinding[] = [];
  if (own === port && port !== 0 && overlaps(address, host)) {
    const message = `metrics ${metrics} is the address of the service itself: serve cannot start.`;
    const free = `--metrics 127.0.0.1:${port === METRICS_PORT ? METRICS_PORT + 1 : METRICS_PORT}`;
    findings.push(finding('metrics_address', message, free));
  }
  if (!isThisMachine(address)) {
    const message = `Everyone who can reach ${metrics} can read the metrics.`;
    findings.push(finding('metrics_open', message, `--metrics 127.0.0.1:${own}`));
  }
  return findings;
}

const METRICS_PORT = 9464;

/** Finds mistakes that a service cannot see: who is in front of it, and how people reach it. */
function findPublicUrl(values: Settings): DoctorFinding[] {
  const { 'public-url': publicUrl, 'trusted-proxies': proxies } = values;
  const hasProxy = proxies.length > 0;
  if (publicUrl === '') {
    if (!hasProxy) return [];
    const message = 'There is a proxy, but no public-url: links begin with an address behind it.';
    return [finding('no_public_url', message, '--public-url https://budget.example.org')];
  }
  if (!URL.canParse(publicUrl)) return [];
  const { protocol } = new URL(publicUrl);
  if (protocol === 'https:' && !hasProxy) {
    const message =
      `public-url ${publicUrl} needs a proxy with TLS, but trusted-proxies is empty: session ` +
      'cookies are not limited to https, and all clients count as one.';
    return [finding('no_trusted_proxy', message, '--trusted-proxies 127.0.0.1')];
  }
  if (protocol === 'https:' || isThisMachine(hostOf(publicUrl))) return [];
  const message = `public-url ${publicUrl} has no TLS: passwords can be intercepted.`;
  const https = publicUrl.replace(/^http:/, 'https:');
  const fix = `Put a proxy with TLS in front, and serve with --public-url ${https}`;
  return [finding('public_url_http', message, fix)];
}

/** Settings that someone stated and that change nothing. */
function findUnused(values: Settings, settings: readonly Setting[]): DoctorFinding[] {
  const { 'backup-keep': keep, 'trusted-proxies': proxies, host } = values;
  const why = (name: Setting['name']) => {
    if (keep === 0 && (name === 'backup-dir' || name === 'backup-at')) {
      return 'backup-keep is 0, so no backups are made';
    }
    if (name === 'trusted-proxies' && isThisMachine(host) && !proxies.some(coversThisMachine)) {
      return `serve listens on ${host}, which other machines do not reach`;
    }
    return undefined;
  };
  return settings.flatMap(({ name, from }) => {
    const reason = from === 'default' ? undefined : why(name);
    if (reason === undefined) return [];
    const message = `${name} does nothing (${from}): ${reason}.`;
    const given = from.startsWith('--') ? from : variableOf(name);
    return [finding('setting_unused', message, `Remove ${given}.`)];
  });
}

/** Whether only programs on this machine reach an address. */
function isThisMachine(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return host.startsWith('127.') || host === '::1';
}

/** Whether a network, such as 127.0.0.0/8 or all addresses, has this machine in it. */
function coversThisMachine(network: string): boolean {
  const [address = '', bits] = network.split('/');
  return isThisMachine(address) || bits === '0';
}

/** Whether one program at a port keeps another from listening there. */
function overlaps(one: string, other: string): boolean {
  const [first, second] = [one, other].map((host) => (host === 'localhost' ? '127.0.0.1' : host));
  return first === second || [one, other].some((host) => host === '0.0.0.0' || host === '::');
}
