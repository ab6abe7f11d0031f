/** What a rule would take, beside its form: by line and month, and what it leaves. */

import { formatId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { type LeftReason, previewRule, type RulePreview } from '../../operations/rule-previews.ts';
import type { RuleSum } from '../../operations/rule-runs.ts';
import { type RuleDraft, type RuleList, readRules } from '../../store/rules.ts';
import { figureList, moneyCell, typed } from '../components/elements.ts';
import { mapLinesAfter, sayLeft } from '../components/line-fields.ts';
import { transactionLink } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

/** Months that have a column; those before have one together. */
const MONTHS = 6;
/** Amounts of an example that are shown. */
const PARTS = 4;

/**
 * The part of the page. `about` says of which state of the rule it is. Figures of one that was not
 * sent can follow the page.
 */
export async function previewPart(
  visit: Visit,
  rule: RuleDraft,
  { about, isSent }: { readonly about: string; readonly isSent: boolean },
): Promise<Html> {
  const steps = previewRule(visit.access, rule);
  const preview = await (isSent ? visit.read(steps) : visit.readSoon(steps));
  const whole = `/rules/${formatId('rul', rule.id ?? 0)}?count=all`;
  const content =
    preview === undefined
      ? html`<p><a href="${whole}" data-count>Count and add up all its transactions</a></p>`
      : figuresOf(visit, rule, preview);
  return html`<section class="panel preview" aria-labelledby="preview">
<h2 id="preview">What it takes now</h2>
<p class="small soft">${about}</p>
${content}</section>`;
}

function figuresOf(visit: Visit, rule: RuleDraft, preview: RulePreview): Html {
  const { reader } = visit;
  const { taken, inMinor } = preview;
  const figures = figureList([
    ['Transactions', reader.count(taken.transactions)],
    [`Out, ${reader.currency.code}`, reader.money(taken.amountMinor - inMinor)],
    inMinor < 0 && [`In, ${reader.currency.code}`, reader.money(-inMinor)],
  ]);
  return html`${figures}${taken.transactions > 0 && sheetOf(visit, rule, preview)}
${examplesOf(reader, preview)}
${earlierOf(reader, preview, readRules(visit.access))}${leftOf(reader, preview)}`;
}

/** What each line gets in each month, and what is left in it then. */
function sheetOf(visit: Visit, { shares }: RuleDraft, { months }: RulePreview): Html {
  const { reader } = visit;
  const numbers = shares.map(({ budgetLineId }) => budgetLineId);
  const all = [...months.keys()].sort();
  const [before, shown] = [all.slice(0, -MONTHS), all.slice(-MONTHS)];
  const minorOf = (inMonths: readonly string[], line?: number) =>
    inMonths
      .flatMap((month) => [...(months.get(month) ?? [])])
      .filter(([id]) => line === undefined || id === line)
      .reduce((sum, [, minor]) => sum + minor, 0);
  const lines = mapLinesAfter(visit.access, new Map(numbers.map((id) => [id, minorOf(all, id)])));
  const columns = [...(before.length > 0 ? [before] : []), ...shown.map((month) => [month])];
  const heads = columns.map((column) => {
    const name = column === before ? 'Earlier' : reader.months(column);
    return html`<th scope="col" class="num">${name}</th>`;
  });
  const cells = (line?: number) =>
    columns.map((column) => {
      const minor = minorOf(column, line);
      const shown = minor === 0 ? html`<span class="soft">–</span>` : reader.money(minor);
      return html`<td class="num">${shown}</td>`;
    });
  const rows = numbers.map((id) => {
    const after = lines.get(id);
    return html`<tr><th scope="row">${after && typed(nameLine(after.line))} <span
class="sub">${after && typed(after.line.projectName)}</span></th>${cells(id)}<td
class="num"><b>${reader.money(minorOf(all, id))}</b></td><td class="num">${
      after && sayLeft(reader, after)
    }</td></tr>\n`;
  });
  return html`<div class="sheet" role="region" aria-label="By line and month" tabindex="0"><table
aria-label="What each line gets"><thead><tr><th scope="col">Goes to</th>${heads}<th scope="col"
class="num">Total</th><th scope="col" class="num">Left after</th></tr></thead>
<tbody>${rows}</tbody>
<tfoot><tr><th scope="row">Total</th>${cells()}<td class="num"><b>${reader.money(
    minorOf(all),
  )}</b></td><td></td></tr></tfoot></table></div>\n`;
}

type Cells = readonly HtmlValue[];

/** A small table without heads: the last cell of each row is an amount. */
function smallTable(title: string, rows: readonly Cells[]): Html | undefined {
  if (rows.length === 0) return undefined;
  const lines = rows.map(([first, ...others]) => {
    const cells = others.map((cell, at) => {
      return html`<td${at === others.length - 1 && html` class="num"`}>${cell}</td>`;
    });
    return html`<tr><th scope="row">${first}</th>${cells}</tr>\n`;
  });
  return html`<h3>${title}</h3>\n<table aria-label="${title}"><tbody>${lines}</tbody></table>\n`;
}

function examplesOf(reader: Reader, { examples, taken }: RulePreview): Html | undefined {
  const rows = examples.map(([transaction, amounts]) => {
    const { date, contact, description, amountMinor } = transaction;
    const parts = amounts.slice(0, PARTS).map((minor) => reader.money(minor));
    const more = amounts.length > PARTS ? ' + …' : '';
    return [
      reader.day(date),
      html`${transactionLink(transaction)}${
        contact !== null && html` <span class="sub">${typed(description)}</span>`
      }`,
      html`${moneyCell(amountMinor, reader)}${
        amounts.length > 1 && html` <span class="sub">${parts.join(' + ')}${more}</span>`
      }`,
    ];
  });
  const isAll = examples.length === taken.transactions;
  return smallTable(isAll ? 'Examples' : `The newest ${examples.length}`, rows);
}

function earlierOf(
  reader: Reader,
  { earlier }: RulePreview,
  { rules }: RuleList,
): Html | undefined {
  const rows = rules.flatMap(({ id, position, name }): Cells[] => {
    const sum = earlier.get(id);
    if (sum === undefined) return [];
    const link = html`<a href="/rules/${formatId('rul', id)}">${typed(name)}</a>`;
    return [sumRow(reader, sum, html`By rule ${position}, ${link}`)];
  });
  return smallTable('Taken by an earlier rule', rows);
}

function sumRow(reader: Reader, { transactions, amountMinor }: RuleSum, what: HtmlValue): Cells {
  return [reader.count(transactions), what, moneyCell(amountMinor, reader)];
}

const REASONS: readonly (readonly [LeftReason, what: string])[] = [
  ['own', 'Allocated by this rule before'],
  ['rule', 'Allocated by another rule'],
  ['person', 'Allocated by a person'],
  ['setAside', 'Excluded, or under review'],
  ['outside', 'Dated outside the project of a line'],
  ['cleared', 'Allocations removed by a person'],
];

function leftOf(reader: Reader, { left }: RulePreview): Html | undefined {
  const rows = REASONS.flatMap(([reason, what]): Cells[] => {
    const sum = left.get(reason);
    return sum === undefined ? [] : [sumRow(reader, sum, what)];
  });
  return smallTable('It also fits these, which stay as they are', rows);
}
