/** Statements: what a funder or a board gets, frozen when it is issued. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../../core/failures.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { isTaken } from '../../database/private-files.ts';
import { consistently } from '../../operations/access.ts';
import type { ItemsRequest } from '../../operations/statement-csv.ts';
import type { DraftRequest } from '../../operations/statement-drafts.ts';
import { walkItems } from '../../operations/statement-items.ts';
import * as operations from '../../operations/statements.ts';
import { readNamed } from '../bounded.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { findProjectId } from '../lookup.ts';
import { hasFlag, optionText, readPositionals, readWhole, requireText } from '../options.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { printStatement, showMajor } from '../statement-text.ts';
import type { ListColumn } from '../table.ts';
import { readMonth } from './report.ts';

/** Opens the organisation and finds the project. */
async function open(call: Call, wanted: string) {
  const { access, service } = await call.openOrganisation();
  return { access, service, projectId: findProjectId(access, wanted) };
}

/** The number of a statement. Refuses with a UsageError. */
function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`N must be the number of a statement, such as 1, not "${text}".`);
}

const list: Command = {
  name: 'statements list',
  summary: 'lists the statements of a project',
  usage: 'PROJECT',
  details: `Amounts are to date. Changed: transactions that count otherwise now.`,
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const { access, projectId } = await open(call, wanted);
    const all = operations.listStatements(access, projectId);
    printResult(call, all, () => {
      const say = (major: number) => showMajor(major, access.organisation.currency);
      const columns: readonly ListColumn<operations.ListedStatement>[] = [
        { title: 'Statement', align: 'right', cell: ({ number }) => String(number) },
        { title: 'Issue', align: 'right', cell: ({ issue }) => String(issue) },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'From', cell: ({ from }) => from ?? 'changes' },
        { title: 'To', cell: ({ to }) => to },
        { title: 'Income', align: 'right', cell: ({ income }) => say(income) },
        { title: 'Expenses', align: 'right', cell: ({ expenses }) => say(expenses) },
        { title: 'Balance', align: 'right', cell: ({ balance }) => say(balance) },
        { title: 'Issued', cell: ({ issuedAt }) => (issuedAt ?? '').slice(0, 10) },
        { title: 'Changed', align: 'right', cell: ({ changed }) => String(changed ?? '') },
      ];
      const none = 'No statements yet. `budgetd statements show PROJECT` shows the draft.';
      printTable(call.io, all, columns, { none });
    });
  },
};

const show: Command = {
  name: 'statements show',
  summary: 'shows a statement, or the draft of the next one',
  usage:
    'PROJECT [N [--issue I]] [--to MONTH] [--with-sub-projects] ' +
    '[--csv [--transactions] | --xlsx FILE] [--with-contacts]',
  details: `
  PROJECT               the id or the exact name of a project
  N                     the number of a statement; without it the draft
  --issue I             an issue that was withdrawn; by default the newest
  --to MONTH            the last month of the draft, such as 2026-06
  --with-sub-projects   the draft with the projects below
  --without-sub-projects
                        the draft without them
  --csv                 print CSV for spreadsheets: an entry for each line
  --transactions        with --csv: an entry for each transaction and line that
                        it counts; these add up to the lines
  --xlsx FILE           write an Excel workbook with both to a new file
  --with-contacts       with --transactions or --xlsx: the contacts too

A draft has the figures of now, and is not stored. Before is what the statement
before reported to date; Changes is what has changed since in the months before
the period. Received is positive. The table omits lines of zeros.`,
  async run(call) {
    const { positionals } = call;
    const [wanted, text] =
      positionals.length < 2
        ? [...readPositionals(call, 'PROJECT'), undefined]
        : readPositionals(call, 'PROJECT', 'N');
    const number = text === undefined ? undefined : readNumber(text);
    const issue = readWhole(call, 'issue', { min: 1, max: 1_000_000 });
    const draft = readDraft(call);
    const [isCsv, isItems] = [hasFlag(call, 'csv'), hasFlag(call, 'transactions')];
    if (number !== undefined && Object.values(draft).some((each) => each !== undefined)) {
      throw new UsageError('--to and the projects below are of the draft. Omit them, or N.');
    }
    if (number === undefined && issue !== undefined) {
      throw new UsageError('Add N: the draft has no issue.');
    }
    const file = optionText(call, 'xlsx');
    if ([isCsv, call.json, file !== undefined].filter(Boolean).length > 1) {
      throw new UsageError('Choose one: --csv, --json or --xlsx.');
    }
    const withContacts = hasFlag(call, 'with-contacts');
    if ((isItems && !isCsv) || (withContacts && !isItems && file === undefined)) {
      throw new UsageError(
        '--transactions needs --csv, and --with-contacts needs --transactions or --xlsx.',
      );
    }
    const { access, service, projectId } = await open(call, wanted);
    const { document, items } = consistently(access, () => {
      const actor = service.actor();
      const document =
        number === undefined
          ? operations.getDraft(access, projectId, draft, actor)
          : operations.getStatement(access, projectId, { number, issue });
      const isRead = isItems || file !== undefined;
      return { document, items: isRead ? walkItems(access, document, actor) : [] };
    });
    const request = { access, items, withContacts };
    if (file !== undefined) await writeXlsx(call, file, { document, request });
    else if (isCsv) await printCsv(call, document, isItems ? request : { access });
    else {
      const { currency } = access.organisation;
      printResult(call, document, () => printStatement(call.io, document, currency));
    }
  },
};

function readDraft(call: Call): DraftRequest {
  const [isWith, isWithout] = ['with-sub-projects', 'without-sub-projects'].map((name) =>
    hasFlag(call, name),
  );
  if (isWith && isWithout) throw new UsageError('Choose one: with or without the projects below.');
  return {
    to: readMonth(call, 'to'),
    withSubProjects: isWith ? true : isWithout ? false : undefined,
  };
}

/** Its transactions if the request has items, else its lines. */
async function printCsv(
  { io: { stdout } }: Call,
  document: StatementDocument,
  request: ItemsRequest | Pick<ItemsRequest, 'access'>,
): Promise<void> {
  const csv = await import('../../operations/statement-csv.ts');
  if (!('items' in request)) stdout.write(csv.formatStatementCsv(document, request.access));
  else for (const piece of csv.formatItemsCsv(document, request)) stdout.write(piece);
}

/** Writes a new file. */
async function writeXlsx(
  { io }: Call,
  file: string,
  { document, request }: { readonly document: StatementDocument; readonly request: ItemsRequest },
): Promise<void> {
  const { formatStatementXlsx } = await import('../../operations/statement-xlsx.ts');
  const path = resolve(io.cwd, file);
  const refused = new Failure('conflict', `${file} already exists. Name a new file.`);
  if (existsSync(path)) throw refused;
  const pieces = await formatStatementXlsx(document, request);
  try {
    await writeFile(path, pieces, { flag: 'wx' });
  } catch (error) {
    throw isTaken(error) ? refused : error;
  }
  printNotes(io, `Wrote ${file}.`);
}

const issue: Command = {
  name: 'statements issue',
  summary: 'issues the next statement, which then never changes',
  usage:
    'PROJECT --to MONTH [--reasons FILE.json] [--note T] [--without-reasons] [--with-sub-projects]',
  details: `
  --to MONTH            the last month that it covers, such as 2026-06
  --reasons FILE.json   an object of texts by line: its id, or its code
  --note T              the covering note
  --without-reasons     also if a line is off by more than the tolerance of the
                        project and has no reason
  --with-sub-projects   with the projects below
  --without-sub-projects
                        without them

Texts of the stored draft are kept where this gives no others, and the draft
ends. The newest statement can be withdrawn.`,
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const draft = { ...readDraft(call), to: requireText(call, 'to') };
    const file = optionText(call, 'reasons');
    const reasons = file === undefined ? undefined : await readReasons(call, file);
    const { access, service, projectId } = await open(call, wanted);
    const request = {
      ...draft,
      reasons,
      note: optionText(call, 'note'),
      withoutReasons: hasFlag(call, 'without-reasons'),
    };
    const document = await operations.issueInTurns(access, projectId, request, service.actor());
    printResult(call, document, () =>
      printStatement(call.io, document, access.organisation.currency),
    );
  },
};

async function readReasons({ io }: Call, file: string): Promise<Record<string, string>> {
  const text = readNamed(resolve(io.cwd, file), '--reasons').toString();
  const refuse = (problem: string) => new Failure('invalid_input', `${file} ${problem}.`);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw refuse('is not valid JSON');
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = isObject ? Object.entries(value as object) : [];
  if (!isObject || members.some(([, each]) => typeof each !== 'string')) {
    throw refuse('is not an object of texts by line');
  }
  return Object.fromEntries(members);
}

const withdraw: Command = {
  name: 'statements withdraw',
  summary: 'withdraws the newest statement of a project',
  usage: 'PROJECT N --reason R',
  details: `
  --reason R   why, up to 500 characters

It stays readable, its number is given again, and the draft has its texts.`,
  async run(call) {
    const [wanted, text] = readPositionals(call, 'PROJECT', 'N');
    const [number, reason] = [readNumber(text), requireText(call, 'reason')];
    const { access, service, projectId } = await open(call, wanted);
    const request = { number, reason };
    const document = operations.withdrawStatement(access, projectId, request, service.actor());
    printResult(call, document, () =>
      printStatement(call.io, document, access.organisation.currency),
    );
  },
};

export const commands = [list, show, issue, withdraw];
