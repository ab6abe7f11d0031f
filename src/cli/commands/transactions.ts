import { listDocument, transactionItem } from '../../api/documents.ts';
import { toFilter } from '../../api/filters.ts';
import { PARAMETERS } from '../../api/parameters.ts';
import type { Currency } from '../../core/currencies.ts';
import { formatId } from '../../core/ids.ts';
import { PROVIDERS, STATUSES, type Status, TRANSACTION_ORDERS } from '../../core/transactions.ts';
import { fillPage } from '../../operations/pages.ts';
import * as operations from '../../operations/transactions.ts';
import { TO_ALLOCATE } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import { amountColumn } from '../amounts.ts';
import { type Command, type Io, UsageError } from '../command.ts';
import { asUsage } from '../errors.ts';
import { showInstant } from '../instants.ts';
import { nextPageOf, readFilters } from '../listing.ts';
import { findBudgetLineId, findProjectId } from '../lookup.ts';
import { hasFlag, optionText, readPositionals } from '../options.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { type Paint, paintsFor, plain, terminalWidth } from '../paint.ts';
import { type ListColumn, ONE_LINE_WIDTH } from '../table.ts';
import { printTransaction, STATUS_WORDS, showAbout } from '../transaction-text.ts';

const listTransactions: Command = {
  name: 'transactions list',
  summary: 'lists transactions, all or those that match filters',
  usage: '[filters] [--order O] [--limit N] [--cursor C]',
  details: `
  --status S           ${STATUSES.slice(0, 3).join(', ')},
                       ${STATUSES.slice(3).join(', ')}
  --to-allocate        left to allocate, in whole or in part
  --id TXN             with this id
  --from DATE          dated on or after this date
  --to DATE            dated on or before this date
  --project-id P       allocated to this project, by id or name
  --line BLN           allocated to this budget line, by id or by a code that
                       only one project uses
  --account-code C     with exactly this account code
  --contact C          with exactly this contact
  --reference R        with exactly this reference
  --bank-account B     on exactly this bank account
  --project-code P     with exactly this project code
  --external-id E      with exactly this external id
  --external-id-prefix X  with an external id that begins with this
  --recoded true       marked as recoded after being allocated; or false
  --provider P         api, csv or manual
  --q TEXT             with this text in description, contact, external id or
                       reference
  --updated-since T    changed since, such as 2026-01-31T12:00:00Z
  --order O            date (newest first) or updatedAt (oldest first)
  --limit N            transactions per page, 1 to 1000 (default 100)
  --cursor C           the next page; each page prints the next cursor

--status and --id accept several values: separate them with commas, or repeat
the option.

Example: budgetd transactions list --status needs_review --from 2026-01-01`,
  repeatable: ['id', 'status'],
  choices: {
    status: STATUSES,
    provider: PROVIDERS,
    order: TRANSACTION_ORDERS,
    recoded: ['true', 'false'],
  },
  async run(call) {
    const read = toFilter(readFilters(call, PARAMETERS.TransactionQuery));
    const isToAllocate = hasFlag(call, 'to-allocate');
    if (isToAllocate && read.statuses !== undefined) {
      throw new UsageError('Use --to-allocate without --status.');
    }
    const filter = { ...read, ...(isToAllocate && TO_ALLOCATE) };
    const { access } = await call.openOrganisation();
    const { organisation } = access;
    const { projectId: wanted } = filter;
    // An unknown id matches nothing, as in the interface; an unknown name is an error.
    const isName = wanted !== undefined && !/^prj_\w+$/.test(wanted);
    const projectId = isName ? findProjectId(access, wanted) : wanted;
    const line = optionText(call, 'line');
    const budgetLineId = line === undefined ? undefined : findBudgetLineId(access, line);
    const list = asUsage(() =>
      fillPage(filter, (page) => {
        const wish = { ...filter, projectId, budgetLineId, ...page };
        return finish(operations.listTransactions(access, wish));
      }),
    );
    printResult(call, listDocument(list, transactionItem, organisation), () => {
      printTransactions(call.io, list.items, organisation.currency);
      printNotes(call.io, ...nextPageOf(call, 'transactions list', list));
    });
  },
};

/** Contact and description are columns where there is room, else a line below each entry. */
function printTransactions(io: Io, transactions: readonly TransactionRecord[], currency: Currency) {
  const { red, dim } = paintsFor(io);
  const isWide = terminalWidth(io) >= ONE_LINE_WIDTH;
  const paintOf: Partial<Record<Status, Paint>> = { needs_review: red, excluded: dim };
  const showStatus = ({ status }: TransactionRecord) => {
    return { text: STATUS_WORDS[status], paint: paintOf[status] ?? plain };
  };
  const columns: ListColumn<TransactionRecord>[] = [
    { title: 'Id', cell: ({ id }) => formatId('txn', id) },
    { title: 'Date', cell: ({ date }) => date },
    amountColumn(currency.code, currency, ({ amountMinor }) => amountMinor),
    { title: 'Status', cell: showStatus },
    { title: 'Code', min: 5, rank: 1, cell: ({ accountCode }) => accountCode ?? '' },
    ...(isWide ? ABOUT_COLUMNS : []),
    { title: 'Reference', min: 5, rank: 6, cell: ({ reference }) => reference ?? '' },
    { title: 'Project code', min: 5, rank: 7, cell: ({ projectCode }) => projectCode ?? '' },
    { title: 'Bank account', min: 5, rank: 8, cell: ({ bankAccount }) => bankAccount ?? '' },
    { title: 'External id', rank: 2, cell: ({ externalId }) => externalId ?? '' },
    { ...amountColumn('Allocated', currency, ({ allocatedMinor }) => allocatedMinor), rank: 3 },
    { title: 'Provider', rank: 5, cell: ({ provider }) => provider },
    { title: 'Changed (UTC)', rank: 4, cell: ({ updatedAtMs }) => showInstant(updatedAtMs) },
  ];
  const below = (transaction: TransactionRecord) => {
    return isWide ? [] : [{ banner: `    ${showAbout(transaction)}` }];
  };
  printTable(io, transactions, columns, { below, none: 'No transactions match.' });
}

const ABOUT_COLUMNS: readonly ListColumn<TransactionRecord>[] = [
  { title: 'Contact', min: 12, cell: ({ contact }) => contact ?? '' },
  { title: 'Description', min: 24, cell: ({ description }) => description },
];

const showTransaction: Command = {
  name: 'transactions show',
  summary: 'shows a transaction and its allocations',
  usage: 'TXN',
  details: '`budgetd audit --subject TXN` shows who changed it.',
  async run(call) {
    const [id] = readPositionals(call, 'TXN');
    const { access } = await call.openOrganisation();
    printTransaction(call, access, operations.getTransaction(access, id));
  },
};

export const commands = [listTransactions, showTransaction];
