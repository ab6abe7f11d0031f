import { closeSync, fsyncSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { keyDocument } from '../../api/documents.ts';
import { formatInstant } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { KEY_PREFIX, keyState } from '../../core/keys.ts';
import { explainNoAccess, SCOPES } from '../../core/plans.ts';
import { isTaken, openPrivateFile } from '../../database/private-files.ts';
import * as operations from '../../operations/keys.ts';
import { type KeyRecord, listKeys } from '../../store/keys.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { asUsage } from '../errors.ts';
import { showDay, showInstant } from '../instants.ts';
import { placeOptions } from '../listing.ts';
import { optionText, pickOption, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult, printTable } from '../output.ts';
import { type Paint, paintsFor, terminalWidth } from '../paint.ts';
import type { ListColumn, TableCell } from '../table.ts';

const createKey: Command = {
  name: 'keys create',
  summary: 'creates an API key and prints it once',
  usage: '--name N --scope S [--scope S …] [--expires DATE] [--out FILE]',
  details: `
  --name N         what the key is for, such as the program that uses it
  --scope S        what it may do. Repeat it for several:
                   ${SCOPES.slice(0, 3).join(', ')},
                   ${SCOPES.slice(3).join(', ')}
  --expires DATE   a date (valid through that day, UTC) or an RFC 3339 date-time
  --out FILE       writes the key to a new file that only you can read, and does
                   not print it (with --json it is printed too)

Example: budgetd keys create --name erp --scope transactions:write --out erp.key`,
  repeatable: ['scope'],
  choices: { scope: SCOPES },
  async run(call) {
    const name = requireText(call, 'name');
    const scopes = [call.values['scope'] ?? []]
      .flat()
      .map((scope) => pickOption('--scope', String(scope), SCOPES));
    if (scopes.length === 0) {
      throw new UsageError(`--scope is missing. Pass one or more of ${SCOPES.join(', ')}.`);
    }
    const draft = { name, scopes, expiresAt: optionText(call, 'expires') };
    const { access, actor } = await call.openOrganisation();
    const create = () => {
      const created = asUsage(() => operations.createKey(access, draft, actor()));
      return { ...created, id: formatId('key', created.id) };
    };
    const out = optionText(call, 'out');
    const revoke = (keyId: string) => operations.revokeKey(access, keyId, actor());
    const { id, key, expiresAtMs } =
      out === undefined ? create() : writeKey(resolve(call.io.cwd, out), create, revoke);
    printResult(call, { keyId: id, key }, () => {
      if (out === undefined) printLines(call.io, key);
    });
    const revoking = `budgetd keys revoke ${id}${placeOptions(call)}`;
    const unsaved = `Save the key now: it is not shown again. If you lose it, run: ${revoking}`;
    const saved = `Wrote the key ${id} to ${out}. Keep it safe: budgetd cannot show it again.`;
    printNotes(call.io, out === undefined ? unsaved : saved);
    if (expiresAtMs !== null && expiresAtMs <= actor().nowMs) {
      const since = `${showInstant(expiresAtMs)} UTC`;
      printNotes(call.io, `Requests with it are refused: it expired at ${since}.`);
    }
    const noAccess = explainNoAccess(access.organisation.plan);
    if (noAccess !== undefined) printNotes(call.io, `Requests with it are refused: ${noAccess}`);
  },
};

/**
 * Creates a key in a new file. The file comes first, so that no key is created when its name is
 * taken; a key that cannot be written is revoked.
 */
function writeKey<Created extends { id: string; key: string }>(
  file: string,
  create: () => Created,
  revoke: (keyId: string) => void,
): Created {
  const descriptor = openKeyFile(file);
  let created: Created | undefined;
  try {
    created = create();
    writeFileSync(descriptor, `${created.key}\n`);
    fsyncSync(descriptor);
    return created;
  } catch (error) {
    if (created !== undefined) revoke(created.id);
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function openKeyFile(file: string): number {
  try {
    return openPrivateFile(file);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Failure('conflict', `${file} already exists. Pass the name of a new file to --out.`);
  }
}

const showKeys: Command = {
  name: 'keys list',
  summary: 'lists the API keys and their state, also revoked ones',
  async run(call) {
    const { access } = await call.openOrganisation();
    const keys = listKeys(access);
    printResult(call, keys.map(keyDocument), () => printKeys(call.io, keys));
  },
};

/** The least width of the other columns: id, name, state, and the gaps. */
const OTHER_COLUMNS_WIDTH = 46;

/** Scopes are never cut: if they do not fit on the line, they go below it. */
function printKeys(io: Io, keys: readonly KeyRecord[]): void {
  const { dim } = paintsFor(io);
  const room = terminalWidth(io) - OTHER_COLUMNS_WIDTH;
  const isBelow = keys.some((key) => showScopes(key).length > room);
  const columns: ListColumn<KeyRecord>[] = [
    { title: 'Id', cell: ({ id }) => formatId('key', id) },
    { title: 'Name', min: 8, cell: ({ name }) => name },
    { title: 'Begins', rank: 3, cell: ({ display }) => `${KEY_PREFIX}${display}…` },
    { title: 'State', cell: (key) => showState(key, dim) },
    { title: 'Last used', rank: 2, cell: ({ lastUsedAtMs }) => showInstant(lastUsedAtMs) },
    ...(isBelow ? [] : [{ title: 'Scopes', cell: showScopes }]),
    { title: 'Created', rank: 4, cell: ({ createdAtMs }) => showDay(createdAtMs) },
    { title: 'By', min: 8, rank: 5, cell: ({ createdBy }) => createdBy },
  ];
  const below = (key: KeyRecord) =>
    isBelow ? [{ banner: { text: `    ${showScopes(key)}`, paint: dim }, isWhole: true }] : [];
  const none = 'No keys yet. Create one with `budgetd keys create`.';
  printTable(io, keys, columns, { below, none });
}

/** All five scopes would be wider than a terminal. */
function showScopes({ scopes }: KeyRecord): string {
  return scopes.length === SCOPES.length ? 'every scope' : scopes.join(' ');
}

function showState(key: KeyRecord, dim: Paint): TableCell {
  const { revokedAtMs, expiresAtMs } = key;
  if (revokedAtMs !== null) return { text: `revoked ${showDay(revokedAtMs)}`, paint: dim };
  if (expiresAtMs === null) return 'active';
  // A key that is valid through a day ends at the start of the next.
  const day = showDay(expiresAtMs - 1);
  const isLive = keyState(key, Date.now()) === 'live';
  return isLive ? `until ${day}` : { text: `expired ${day}`, paint: dim };
}

const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'revokes a key, which a running service then refuses',
  usage: 'KEYID',
  details: 'KEYID is the id that `budgetd keys list` shows, not the key itself.',
  async run(call) {
    const [keyId] = readPositionals(call, 'KEYID');
    if (keyId.startsWith(KEY_PREFIX)) {
      throw new UsageError('That is the key itself. Use its id, key_…, from `budgetd keys list`.');
    }
    const { access, actor } = await call.openOrganisation();
    const revokedAtMs = operations.revokeKey(access, keyId, actor());
    const done = `${keyId} was revoked at ${showInstant(revokedAtMs)} UTC.`;
    printResult(call, { keyId, revokedAt: formatInstant(revokedAtMs) }, done);
  },
};

export const commands = [createKey, showKeys, revokeKey];
