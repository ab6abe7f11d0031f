/** One transaction: the panel beside the list. */

import { type Html, html } from '../../http/html.ts';
import { getTransaction } from '../../operations/transactions.ts';
import { readerOf, type Visit } from '../desk.ts';
import { moneyCell, statusTag, typed } from '../parts.ts';

/** The panel of a transaction. Refuses with `not_found`. */
export function transactionPanel(visit: Visit, id: string): Html {
  const { access } = visit.session;
  const { contact, description, amountMinor, date, status } = getTransaction(access, id);
  const reader = readerOf(visit);
  const amount = moneyCell(amountMinor, access.organisation.currency, reader);
  return html`<aside class="panel" aria-labelledby="panel">
<h2 id="panel">${typed(contact ?? description)}</h2>
<p>${reader.day(date)} · ${amount} ${statusTag(status)}</p>
</aside>`;
}
