/**
 * Reads settings (contract 11): each has one name, as a flag, as a variable and in a file of
 * variables. A flag counts more than a variable, a variable more than the file, and the file more
 * than the default.
 */

import { Failure } from '../core/failures.ts';
import { findNearest } from '../core/suggestions.ts';
import { checkNetworks } from '../http/addresses.ts';
import { checks, schemas } from './checks.js';
import type { Settings } from './inputs.ts';

/** The name of a setting, such as `trusted-proxies`. */
export type SettingName = keyof Settings;

/** What the schema says about a setting. */
interface Schema {
  readonly type: 'string' | 'integer' | 'array';
  readonly default: unknown;
  readonly value: string;
  readonly description: string;
}

const SCHEMAS = schemas.Settings['properties'] as Readonly<Record<SettingName, Schema>>;

/** All settings, in the order of the help. */
export const SETTING_NAMES = Object.keys(SCHEMAS) as readonly SettingName[];

/** Other variables of budgetd, which are not settings. */
const OTHER_VARIABLES = ['BUDGETD_CONFIG', 'BUDGETD_DEBUG'];

/** Variables with a secret. A file that `BUDGETD_KEY_FILE` names can have that of `BUDGETD_KEY`. */
export const SECRETS = ['BUDGETD_KEY', 'BUDGETD_PASSWORD'] as const;
/** A value and where it came from, such as `--port`, `BUDGETD_PORT` or `budgetd.conf, line 2`. */
export interface Setting<Name extends SettingName = SettingName> {
  readonly name: Name;
  readonly value: Settings[Name];
  readonly from: string;
}

interface SettingsFile {
  /** How messages name it. */
  readonly name: string;
  /** The settings in their order, each with its line, from 1. */
  readonly lines: readonly {
    readonly line: number;
    readonly variable: string;
    readonly value: string;
  }[];
}

export interface SettingSources {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file?: SettingsFile | undefined;
}

/** A setting that cannot be used. The message says where it is and what it must be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Every setting with its value and origin; those that are not `wanted` have their defaults. Rejects
 * with SettingsError.
 */
export async function readSettings(
  sources: SettingSources,
  wanted: readonly SettingName[] = SETTING_NAMES,
): Promise<Setting[]> {
  const given = SETTING_NAMES.map((name) => {
    return findSetting(name, wanted.includes(name) ? sources : { flags: {}, env: {} });
  });
  const values = settingValues(given);
  if (!checks.Settings(values)) throw await explain(values, given);
  refuseAddresses(given);
  return given;
}

/** Refuses what the schema cannot tell from an address. */
function refuseAddresses(given: readonly Setting[]): void {
  const { 'trusted-proxies': proxies, 'public-url': publicUrl } = settingValues(given);
  try {
    checkNetworks(proxies);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new SettingsError(`${placeOf(given, 'trusted-proxies')}: ${error.message}`);
  }
  if (publicUrl === '' || URL.canParse(publicUrl)) return;
  throw new SettingsError(`${placeOf(given, 'public-url')} is not an address: "${publicUrl}".`);
}

/** Where a setting is, as messages begin. */
function placeOf(given: readonly Setting[], wanted: string): string {
  const { name = '', from = '' } = given.find(({ name }) => name === wanted) ?? {};
  return /^(?:--|BUDGETD_)\S+$/.test(from) ? from : `${from}: ${variableOf(name)}`;
}

export function settingValues(settings: readonly Setting[]): Settings {
  return Object.fromEntries(
    settings.map(({ name, value }) => [name, value]),
  ) as unknown as Settings;
}

/** The value of a setting that nobody states. */
export function defaultOf<Name extends SettingName>(name: Name): Settings[Name] {
  return SCHEMAS[name].default as Settings[Name];
}

/** One setting, before all are checked together. */
function findSetting(name: SettingName, { flags, env, file }: SettingSources): Setting {
  const variable = variableOf(name);
  const flag = flags[name];
  const line = file?.lines.filter((each) => each.variable === variable).at(-1);
  const text = (value: string, from: string) => ({ name, value: toValue(name, value), from });
  if (typeof flag === 'string') return text(flag, `--${name}`);
  // An empty variable is as good as none, as in a unit file that clears it.
  if (env[variable]) return text(env[variable], variable);
  if (line !== undefined) return text(line.value, `${file?.name}, line ${line.line}`);
  return { name, value: defaultOf(name), from: 'default' };
}

/** The value that a text means; a wrong text stays one, which the check then refuses. */
function toValue(name: SettingName, text: string): never {
  const { type } = SCHEMAS[name];
  const value = {
    string: () => text,
    integer: () => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : text),
    array: () => text.split(',').map((item) => item.trim()),
  }[type]();
  return value as never;
}

/** The variable of a setting: `BUDGETD_TRUSTED_PROXIES`. */
export function variableOf(name: string): string {
  return `BUDGETD_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** Loads TypeBox, which valid settings do not need. */
async function explain(values: unknown, given: readonly Setting[]): Promise<SettingsError> {
  const { explainInput } = await import('../core/input-errors.ts');
  const inputs = await import('./inputs.ts');
  const [first] = explainInput(inputs.Settings, values);
  // The place of an item of a list has its number too.
  const wrong = given.find(({ name }) => name === first?.place.replace(/\[.*/, ''));
  const where = placeOf(given, wrong?.name ?? '');
  return new SettingsError(`${where} ${first?.message}, not "${wrong?.value}".`);
}

/**
 * Reads a file of settings: lines such as `BUDGETD_PORT=8080`, as systemd reads an EnvironmentFile.
 * Lines that begin with `#` or `;` are comments, and a value can be in quotation marks. A line that
 * is not a setting is refused, which leaves it out if `refuse` does not throw.
 */
export function readSettingsFile(
  name: string,
  text: string,
  refuse: (error: SettingsError) => void = fail,
): SettingsFile {
  const known = SETTING_NAMES.map(variableOf);
  const raw = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const lines = raw.flatMap((each, at) => {
    const written = each.trim();
    if (written === '' || /^[#;]/.test(written)) return [];
    const [, variable, value] = LINE.exec(written) ?? [];
    const line = at + 1;
    if (variable === undefined || value === undefined) {
      const form = 'Write NAME=VALUE, such as BUDGETD_PORT=8080.';
      refuse(new SettingsError(`${name}, line ${line} is not a setting. ${form}`));
      return [];
    }
    if (!known.includes(variable)) {
      refuse(new SettingsError(`${name}, line ${line}: ${unknown(variable, known)}`));
      return [];
    }
    return [{ line, variable, value: /^["']/.test(value) ? value.slice(1, -1) : value }];
  });
  return { name, lines };
}

function fail(error: SettingsError): never {
  throw error;
}

/** A name, and a value without quotation marks, or wholly within them. */
const LINE = /^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*("[^"]*"|'[^']*'|[^"'].*|)$/;

/** A warning for each variable that looks like a setting but is not one. */
export function warnUnknown(env: SettingSources['env']): string[] {
  const secrets = SECRETS.flatMap((name) => [name, `${name}_FILE`]);
  const known = [...SETTING_NAMES.map(variableOf), ...OTHER_VARIABLES, ...secrets];
  const wrong = Object.keys(env).filter((each) => /^BUDGETD_/.test(each) && !known.includes(each));
  return wrong.sort().map((variable) => `${unknown(variable, known)} It is ignored.`);
}

function unknown(variable: string, known: readonly string[]): string {
  const nearest = findNearest(variable, known) ?? findNearest(`BUDGETD_${variable}`, known);
  const hint = nearest === undefined ? '`budgetd config` lists them.' : `Did you mean ${nearest}?`;
  return `${variable} is not a setting. ${hint}`;
}

/** The usage of flags, such as `[--host ADDR] [--port PORT]`. */
export function settingsUsage(names: readonly SettingName[]): string {
  return names.map((name) => `[--${name} ${SCHEMAS[name].value}]`).join(' ');
}

/** What the help and the documentation say about a setting. */
export function describeSetting(name: SettingName) {
  const { value, description, default: own } = SCHEMAS[name];
  // Undefined if the setting has none.
  return { value, description, default: String(own) || undefined };
}
