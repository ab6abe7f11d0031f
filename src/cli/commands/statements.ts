/** Statements: what a funder or a board gets, frozen when it is issued. */

import { resolve } from 'node:path';
import { count } from '../../core/counts.ts';
import type { Currency } from '../../core/currencies.ts';
import { Failure } from '../../core/failures.ts';
import { fromMajor } from '../../core/money.ts';
import { nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { parseJson } from '../../core/text.ts';
import { cleanText } from '../../core/text-width.ts';
import { consistently } from '../../operations/access.ts';
import type { DraftRequest } from '../../operations/statement-drafts.ts';
import type { ItemsRequest } from '../../operations/statement-files.ts';
import { readWithItems } from '../../operations/statement-items.ts';
import * as operations from '../../operations/statements.ts';
import { finish } from '../../operations/turns.ts';
import type { Access } from '../../store/access.ts';
import { showAmount } from '../amounts.ts';
import { readNamed } from '../bounded.ts';
import { type Call, type Command, type Io, UsageError } from '../command.ts';
import { findProjectId } from '../lookup.ts';
import { hasFlag, optionText, readPositionals, readWhole, requireText } from '../options.ts';
import { printLines, printResult, printTable } from '../output.ts';
import type { ListColumn } from '../table.ts';
import { readXlsx, writeXlsx } from '../workbooks.ts';
import { readMonth } from './report.ts';

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
  details: `Amounts are to date. Changed: transactions that now count differently.`,
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
    '[--csv [--transactions]|--xlsx FILE] [--with-contacts]',
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
      throw new UsageError(
        '--to and the projects below are only for the draft. Omit them, or omit N.',
      );
    }
    if (number === undefined && issue !== undefined) {
      throw new UsageError('Add N: the draft has no issue.');
    }
    const file = readXlsx(call);
    const withContacts = hasFlag(call, 'with-contacts');
    if ((isItems && !isCsv) || (withContacts && !isItems && file === undefined)) {
      throw new UsageError(
        '--transactions needs --csv, and --with-contacts needs --transactions or --xlsx.',
      );
    }
    const { access, service, projectId } = await open(call, wanted);
    const actor = service.actor();
    const read = () =>
      number === undefined
        ? operations.readStatementDraft(access, projectId, draft, actor)
        : operations.readStatement(access, projectId, { number, issue });
    const { document, items } =
      isItems || file !== undefined
        ? finish(readWithItems(access, read, actor))
        : { document: consistently(access, () => finish(read())), items: [] };
    const request = { access, items, withContacts };
    if (file !== undefined) {
      const { formatStatementXlsx } = await import('../../operations/statement-files.ts');
      await writeXlsx(call, file, () => formatStatementXlsx(document, request));
    } else if (isCsv) await printCsv(call, document, isItems ? request : { access });
    else printStatement(call, document, access);
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

/** Prints the transactions of a statement if the request has items, else the lines. */
async function printCsv(
  { io: { stdout } }: Call,
  document: StatementDocument,
  request: ItemsRequest | Pick<ItemsRequest, 'access'>,
): Promise<void> {
  const csv = await import('../../operations/statement-files.ts');
  if (!('items' in request)) stdout.write(csv.formatStatementCsv(document, request.access));
  else for (const piece of csv.formatItemsCsv(document, request)) stdout.write(piece);
}

const issue: Command = {
  name: 'statements issue',
  summary: 'issues the next statement, which then never changes',
  usage:
    'PROJECT --to MONTH [--reasons FILE.json] [--note T] [--without-reasons] [--with-sub-projects]',
  details: `
  --to MONTH            the last month that it covers, such as 2026-06
  --reasons FILE.json   an object with a text for each line, by its id or code
  --note T              the covering note
  --without-reasons     also if a line is off by more than the tolerance of the
                        project and has no reason
  --with-sub-projects   with the projects below
  --without-sub-projects
                        without them

Texts that you do not give come from the saved draft, which is then deleted. The
newest statement can be withdrawn.`,
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
    const actor = service.actor();
    const issued = operations.issueInTurns(access, projectId, request, actor).catch(nameOptions);
    printStatement(call, await issued, access);
  },
};

/** Adds to the refusal of a statement without reasons which options help. */
function nameOptions(error: unknown): never {
  if (!(error instanceof Failure) || !error.message.startsWith(operations.NOT_ISSUED)) throw error;
  const help = 'Give them with --reasons FILE.json, or use --without-reasons.';
  throw new Failure(error.code, `${error.message} ${help}`);
}

async function readReasons({ io }: Call, file: string): Promise<Record<string, string>> {
  const text = readNamed(resolve(io.cwd, file), '--reasons').toString();
  const refuse = (problem: string) => new Failure('invalid_input', `${file} ${problem}.`);
  const value = parseJson(text.replace(/^\ufeff/, ''));
  if (value === undefined) throw refuse('is not valid JSON');
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = isObject ? Object.entries(value as object) : [];
  const [other] = members.find(([, each]) => typeof each !== 'string') ?? [];
  if (!isObject) throw refuse('is not an object with a text for each line');
  if (other !== undefined) throw refuse(`has no text for "${cleanText(other)}"`);
  return Object.fromEntries(members);
}

const withdraw: Command = {
  name: 'statements withdraw',
  summary: 'withdraws the newest statement of a project',
  usage: 'PROJECT N --reason R',
  details: `
  --reason R   why, up to 500 characters

The statement stays readable. The next one gets its number, and the draft gets
its texts.`,
  async run(call) {
    const [wanted, text] = readPositionals(call, 'PROJECT', 'N');
    const [number, reason] = [readNumber(text), requireText(call, 'reason')];
    const { access, service, projectId } = await open(call, wanted);
    const request = { number, reason };
    const document = operations.withdrawStatement(access, projectId, request, service.actor());
    printStatement(call, document, access);
  },
};

/** An amount of a document, in major units, as people read it. */
function showMajor(major: number, currency: Currency): string {
  return showAmount(fromMajor(major, currency.places), currency);
}

type Line = StatementDocument['lines'][number];

/** A row of the table: a line, a sum or the balance. */
type Row = Pick<Line, 'before' | 'period' | 'changes' | 'toDate' | 'budget'> & {
  readonly code: string | null;
  readonly name: string;
  readonly left?: number;
};

/** Prints lines with texts that people typed. */
function printClean(io: Io, ...lines: readonly string[]): void {
  printLines(io, ...lines.map(cleanText));
}

/** Prints a statement: the document with `--json`, otherwise tables, which omit lines of zeros. */
function printStatement(call: Call, document: StatementDocument, access: Access): void {
  const { currency } = access.organisation;
  printResult(call, document, () => printTables(call.io, document, currency));
}

function printTables(io: Io, document: StatementDocument, currency: Currency): void {
  const { project, number, issue, status, from, to, lines, balance, funder } = document;
  const again = issue > 1 ? `, issue ${issue}` : '';
  const months = from === null ? `changes to ${to}` : `${from} to ${to}`;
  printClean(io, `${project}: statement ${number}${again} (${status}), ${months}`);
  const funded = [funder?.name, funder?.reference].filter((part) => part);
  if (funded.length > 0) printClean(io, `For ${funded.join(', ')}`);
  const isUsed = ({ budget, before, period, changes, toDate }: Line) =>
    [budget, before, period, changes, toDate].some((amount) => amount !== 0);
  const rowsOf = (kind: Line['kind']) => lines.filter((line) => line.kind === kind && isUsed(line));
  const sum = (name: string, figures: Omit<Row, 'code' | 'name'>): Row => {
    return { code: null, name, ...figures };
  };
  const rows: readonly Row[] = [
    ...rowsOf('income'),
    sum('Income', document.income),
    ...rowsOf('expense'),
    sum('Expenses', document.expenses),
    sum('Balance', balance),
  ];
  const titles = { before: 'Before', period: 'Period', changes: 'Changes', toDate: 'To date' };
  const columns: readonly ListColumn<Row>[] = [
    { title: 'Code', cell: ({ code }) => code ?? '' },
    { title: 'Line', min: 10, cell: ({ name }) => name },
    ...amountColumns<Row>({ ...titles, budget: 'Budget', left: 'Left' }, currency),
  ];
  printLines(io, '');
  printTable(io, rows, columns);
  const notes = listUnfinished(document, currency);
  if (notes.length > 0) printClean(io, '', ...notes);
  printTexts(io, document);
  printChanges(io, document, currency);
}

/** A column of amounts in major units for each of these members. */
function amountColumns<Of>(
  titles: { readonly [Name in keyof Of]?: string },
  currency: Currency,
): ListColumn<Of>[] {
  return (Object.entries(titles) as [keyof Of, string][]).map(([name, title]) => ({
    title,
    align: 'right',
    cell: (row) => (typeof row[name] === 'number' ? showMajor(row[name], currency) : ''),
  }));
}

function listUnfinished({ lines, unfinished, outside }: StatementDocument, currency: Currency) {
  const { unallocated, underReview, reasonsMissing } = unfinished;
  const say = (major: number) => `${showMajor(major, currency)} ${currency.code}`;
  const directions = [
    unallocated.out !== 0 && `${say(unallocated.out)} out`,
    unallocated.in !== 0 && `${say(unallocated.in)} in`,
  ].filter((part) => part !== false);
  const missing = lines.filter(({ budgetLineId }) => reasonsMissing.includes(budgetLineId));
  const notes = [
    unallocated.count > 0 &&
      `${count(unallocated.count, 'transaction')} not allocated in full: ${directions.join(', ')}.`,
    underReview.count > 0 &&
      `${count(underReview.count, 'transaction')} under review: ${say(underReview.amount)}.`,
    outside.count > 0 &&
      `${count(outside.count, 'transaction')} dated outside the project, not counted: ` +
        `income ${say(outside.income)}, expenses ${say(outside.expenses)}.`,
    missing.length > 0 && `Reasons missing: ${missing.map(nameLine).join(', ')}.`,
  ];
  return notes.filter((note) => note !== false);
}

function printTexts(io: Io, { lines, note, withdrawn }: StatementDocument): void {
  const print = (title: string, text: string) => {
    printClean(io, '', `${title}:`, ...text.split('\n').map((line) => `  ${line}`));
  };
  for (const line of lines) {
    if (line.reason !== null) print(`Reason for ${nameLine(line)}`, line.reason);
  }
  if (note !== null) print('Note', note);
  if (withdrawn !== null) {
    printClean(io, '', `Withdrawn by ${withdrawn.by.name}: ${withdrawn.reason}`);
  }
}

/** The transactions that count otherwise now than the statement and those before it say. */
function printChanges(io: Io, { lines, changedSince }: StatementDocument, currency: Currency) {
  if (changedSince === null || changedSince.count === 0) return;
  type Change = (typeof changedSince.transactions)[number];
  const names = new Map(lines.map((line) => [line.budgetLineId, nameLine(line)]));
  const titles = { reported: 'Reported', now: 'Now', change: 'Change' };
  const columns: readonly ListColumn<Change>[] = [
    { title: 'Date', cell: ({ date }) => date },
    { title: 'Transaction', cell: ({ transactionId }) => transactionId },
    { title: 'Description', min: 14, cell: ({ description }) => description },
    { title: 'Line', min: 10, cell: ({ budgetLineId: id }) => names.get(id) ?? id },
    ...amountColumns<Change>(titles, currency),
  ];
  const { income, expenses } = changedSince;
  const [received, spent] = [showMajor(income, currency), showMajor(expenses, currency)];
  printLines(
    io,
    '',
    `Changed since: ${count(changedSince.count, 'transaction')}, income ${received}, ` +
      `expenses ${spent}`,
    '',
  );
  printTable(io, changedSince.transactions, columns);
}

export const commands = [list, show, issue, withdraw];
