import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { PACKAGE_FOLDER, programWords, readBuild, readPackageFile } from '../../package-folder.ts';
import { settingValues } from '../../settings/settings.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { optionText, pickOption, readPositionals } from '../options.ts';
import { printNotes, printResult } from '../output.ts';

interface Template {
  /** Its name in the folder `packaging`, or of the manual. */
  readonly file: string;
  /** Whether another user runs what it names. */
  readonly isForOthers?: true;
  /** Its values besides the addresses; `words` starts budgetd. */
  readonly values: (words: readonly string[]) => Readonly<Record<string, string>>;
}

const TEMPLATES = {
  unit: {
    file: 'budgetd.service',
    isForOthers: true,
    values: (words) => ({ command: words.map(quoteForSystemd).join(' ') }),
  },
  caddy: { file: 'Caddyfile', values: () => ({}) },
  nginx: { file: 'nginx.conf', values: () => ({}) },
  windows: {
    file: 'budgetd-service.xml',
    isForOthers: true,
    values: ([executable = '', ...words]) => ({
      executable: escapeXml(executable),
      arguments: words.map((word) => `  <argument>${escapeXml(word)}</argument>`).join('\n'),
    }),
  },
  container: { file: 'Containerfile', values: () => ({ version: readBuild().version }) },
  man: { file: 'budgetd.1', values: () => ({}) },
} as const satisfies Record<string, Template>;

/** Until there is a name. */
const SITE = 'budget.example.org';

const KINDS = Object.keys(TEMPLATES) as readonly (keyof typeof TEMPLATES)[];

const print: Command = {
  name: 'print',
  summary: 'prints a systemd unit, a proxy configuration and so on',
  usage: `${KINDS.join('|')} [--site NAME] [--host ADDR] [--port PORT]`,
  details: `
  unit         a systemd service, with no more rights than it needs
  caddy        Caddy in front of the service, which gets its certificate itself
  nginx        nginx in front of the service
  windows      a Windows service, run by WinSW
  container    a Containerfile for Podman or Docker
  man          the manual page

  --site NAME  the host name that people use (default ${SITE})

Prints a file for this installation; its first lines say where to put it.
--host and --port say where the service listens, like the settings of serve.

Example: budgetd print caddy --site ${SITE}`,
  settings: ['host', 'port'],
  shared: ['config', 'json'],
  async run(call) {
    const [wanted] = readPositionals(call, KINDS.join('|'));
    const kind = pickOption('The file', wanted, KINDS);
    const template: Template = TEMPLATES[kind];
    const words = programWords(process.execPath);
    const values = { ...template.values(words), ...addressesOf(call) };
    const { file } = template;
    const folder = kind === 'man' ? 'dist/man' : 'packaging';
    const source = readPackageFile(new URL(`${folder}/${file}`, PACKAGE_FOLDER)).toString();
    const text = source.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the template needs a value for ${name}`);
      return value;
    });
    const hidden = words.find(isHidden);
    if (template.isForOthers && hidden !== undefined) {
      const advice =
        words.length === 1
          ? 'Copy it to /usr/local/bin and run that copy.'
          : 'Install Node and budgetd for the whole machine.';
      printNotes(call.io, `Warning: the service cannot read ${hidden}. ${advice}`);
    }
    printResult(call, { file, text }, text.trimEnd());
  },
};

/** Whether another user cannot read a path: homes, and the temporary folders that a unit hides. */
function isHidden(path: string): boolean {
  const folders = [homedir(), '/home', '/root', '/run/user', '/tmp', '/var/tmp'];
  return folders.some((folder) => path.startsWith(folder + sep));
}

/** Where the service listens, as a proxy on this machine reaches it, and what people type. */
function addressesOf(call: Call): Record<string, string> {
  const { host, port } = settingValues(call.settings);
  const site = optionText(call, 'site') ?? SITE;
  if (!/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(site)) {
    throw new UsageError(`--site must be a host name such as ${SITE}, not "${site}".`);
  }
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  // A name can lead to either.
  const proxy = isIP(local) === 0 ? '127.0.0.1,::1' : local;
  const service = `${local.includes(':') ? `[${local}]` : local}:${port}`;
  return { site, service, port: String(port), proxy };
}

/** A word of ExecStart, in which systemd expands % and $. */
function quoteForSystemd(word: string): string {
  const escaped = word.replace(/["\\]/g, '\\$&').replace(/[%$]/g, '$&$&');
  return /^[\w./+@:-]+$/.test(word) ? word : `"${escaped}"`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const commands = [print];
