/** The list of transactions, with one of them beside it. */

import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { readerOf, type Visit } from '../desk.ts';
import { framedPage } from '../layout.ts';
import { takeFlash } from '../outcomes.ts';
import { moneyCell, statusTag, typed } from '../parts.ts';
import { transactionPanel } from './transaction.ts';

/** `GET /transactions`. */
export function showTransactions(visit: Visit): Reply {
  const { request, session } = visit;
  const { access } = session;
  const { currency } = access.organisation;
  const reader = readerOf(visit);
  const open = request.query.find(([name]) => name === 'open')?.[1];
  const { items } = listTransactions(access, { limit: 50 });
  const rows = items.map(
    (each) => html`<tr><td>${reader.day(each.date)}</td><td>${typed(each.contact ?? '')}</td>
<td>${typed(each.description)}</td>
<td class="num">${moneyCell(each.amountMinor, currency, reader)}</td>
<td>${statusTag(each.status)}</td></tr>\n`,
  );
  const content = html`${takeFlash(visit)}<div class="head"><h1>Transactions</h1></div>
<table><tbody>${rows}</tbody></table>${open !== undefined && transactionPanel(visit, open)}`;
  return pageReply(framedPage({ title: 'Transactions', content }, visit, '/transactions'));
}
