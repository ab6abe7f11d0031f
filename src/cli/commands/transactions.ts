import { PAGE_ITEMS_DEFAULT } from '../../core/limits.ts';
import { STATUSES } from '../../core/transactions.ts';
import { showAmount } from '../amounts.ts';
import { type Command, EXIT, type Io, readPositionals } from '../command.ts';
import type { Transaction } from '../documents.ts';
import { fillPage, nextPageOf, readQuery } from '../listing.ts';
import { findProject } from '../lookup.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { paintsFor, terminalWidth } from '../paint.ts';
import { type Column, type Entry, ONE_LINE_WIDTH } from '../table.ts';
import { STATUS_WORDS, showAbout } from '../transaction-text.ts';

/** `budgetd transactions list`. */
export const listTransactions: Command = {
  usage: 'transactions list [filters] [--order O] [--limit N] [--cursor C]',
  summary: 'lists transactions, all or those that match filters',
  details: `
  --status S           ${STATUSES.slice(0, 3).join(', ')},
                       ${STATUSES.slice(3).join(', ')}
  --id TXN             with this id
  --from DATE          dated on or after this date
  --to DATE            dated on or before this date
  --project-id P       allocated to this project, by id or name
  --account-code C     with exactly this account code
  --contact C          with exactly this contact
  --external-id E      with exactly this external id
  --provider P         api, csv or manual
  --q TEXT             with this text in description, contact or external id
  --updated-since T    changed since, such as 2026-01-31T12:00:00Z
  --order O            date (newest first) or updatedAt (oldest first)
  --limit N            transactions per page, 1 to 1000 (default 100)
  --cursor C           the next page; each page prints the next cursor

--status and --id accept several values: separate them with commas, or repeat
the option.

Example: budgetd transactions list --status needs_review --from 2026-01-01`,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    status: { type: 'string', multiple: true },
    id: { type: 'string', multiple: true },
    provider: { type: 'string' },
    'external-id': { type: 'string' },
    'account-code': { type: 'string' },
    contact: { type: 'string' },
    'project-id': { type: 'string' },
    'updated-since': { type: 'string' },
    q: { type: 'string' },
    order: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  },
  async run(call) {
    readPositionals(call);
    const { service, organisation } = await call.openOrganisation();
    const query = readQuery(call, listTransactions, (parameter, text) => {
      // An unknown id matches nothing, as in the interface; an unknown name is an error.
      const isName = parameter === 'projectId' && text !== '' && !/^prj_\w+$/.test(text);
      return isName ? findProject(service, organisation, text).id : text;
    });
    const { limit = String(PAGE_ITEMS_DEFAULT), ...parameters } = query.parameters;
    const list = query.ask(() =>
      fillPage(Number(limit), (rest) => {
        return service.transactions.list(organisation.id, { ...parameters, limit, ...rest });
      }),
    );
    printResult(call, list, () => {
      if (list.data.length === 0) printNotes(call.io, 'No transactions match.');
      else printTransactions(call.io, list.data);
      printNotes(call.io, ...nextPageOf(call, 'transactions list', list));
    });
    return EXIT.done;
  },
};

/** Contact and description are columns where there is room, else a line below each entry. */
function printTransactions(io: Io, transactions: readonly Transaction[]): void {
  const { red, dim } = paintsFor(io);
  const isWide = terminalWidth(io) >= ONE_LINE_WIDTH;
  const paintOf = { needs_review: red, excluded: dim } as const;
  const [first] = transactions;
  printTable(io, {
    columns: [
      { title: 'Id' },
      { title: 'Date' },
      { title: first?.currency ?? 'Amount', align: 'right' },
      { title: 'Status' },
      { title: 'Code', min: 5, rank: 1 },
      ...(isWide ? ABOUT_COLUMNS : []),
      { title: 'External id', min: 10, rank: 2 },
      { title: 'Allocated', align: 'right', rank: 3 },
      { title: 'Provider', rank: 5 },
      { title: 'Changed (UTC)', rank: 4 },
    ],
    entries: transactions.flatMap((transaction): Entry[] => {
      const { status, currency } = transaction;
      const text = STATUS_WORDS[status];
      const paint =
        status === 'needs_review' || status === 'excluded' ? paintOf[status] : undefined;
      const { contact, description } = transaction;
      const entry = [
        transaction.id,
        transaction.date,
        showAmount(transaction.amount, currency),
        paint === undefined ? text : { text, paint },
        transaction.accountCode ?? '',
        ...(isWide ? [contact ?? '', description] : []),
        transaction.externalId ?? '',
        showAmount(transaction.allocatedAmount, currency),
        transaction.provider,
        transaction.updatedAt.slice(0, 16).replace('T', ' '),
      ];
      return isWide ? [entry] : [entry, { banner: `    ${showAbout(transaction)}` }];
    }),
  });
}

const ABOUT_COLUMNS: readonly Column[] = [
  { title: 'Contact', min: 12 },
  { title: 'Description', min: 24 },
];
