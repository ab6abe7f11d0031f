/** One rule: when it fits, and which budget lines share what it takes. */

import { Failure } from '../../core/failures.ts';
import { formatId, readId } from '../../core/ids.ts';
import { RULES as MOST } from '../../core/limits.ts';
import { toMajor } from '../../core/money.ts';
import { PROVIDERS } from '../../core/transactions.ts';
import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { runRules } from '../../operations/rule-runs.ts';
import { type RuleList, type RuleRecord, readRules, saveRule } from '../../operations/rules.ts';
import { typed } from '../components/elements.ts';
import {
  type Faults,
  type Field,
  fieldOf,
  isFaulty,
  mainActions,
  type Option,
  postForm,
  readAt,
  unsaved,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { labelOf, listLines, readLineField } from '../components/line-fields.ts';
import type { Visit } from '../session/visit.ts';
import { editShares, readShares } from './allocate.ts';
import { RULES, saySum, sumOf } from './rule-run.ts';
import { type Share, shareRow } from './transaction.ts';

const NEW = 'new';
const AMOUNTS = ['from', 'to'] as const;
/** The texts of a transaction, and how a condition compares each. */
const TEXTS = {
  contact: ['Contact', { is: 'is', contains: 'contains' }],
  description: ['Description', { is: 'is', contains: 'contains' }],
  accountCode: ['Account code', { is: 'is', startsWith: 'begins with' }],
  projectCode: ['Project code', { is: 'is' }],
} as const;

/** What the fields have: as typed, asked for by the address, or stored. */
interface View {
  readonly text: (name: string) => string | undefined;
  readonly shares: readonly Share[];
  readonly faults?: Faults;
  readonly status?: number;
}

/** `POST /rules/{id}`: saves the rule, or shows its form with another row. */
export function takeRule(visit: Visit): Promise<Reply> | Reply {
  const { access, actor, form } = visit;
  const given = readShares(visit).shares;
  const text = (name: string) => form.value(name) ?? '';
  const edited = editShares(visit, given, 0);
  if (edited !== undefined) return showRule(visit, { text, shares: edited });
  const shares = given.filter(({ line, amount }) => `${line}${amount}`.trim() !== '');
  const { rule, faults } = readForm(visit, shares);
  if (isFaulty(faults)) return showRule(visit, { text, shares, faults });
  const refused = ({ details, message }: Failure, status: number) => {
    const found: Record<string, string> = {};
    for (const { field, message: each } of details) {
      // In the form, an empty share is the one for the rest.
      const said = each.replace('Let one take', 'Leave one empty to take');
      found[fieldAt(field, shares)] ??= said;
    }
    const said = isFaulty(found) ? found : { name: `Nothing was saved. ${message}` };
    return showRule(visit, { text, shares, faults: said, status });
  };
  return visit.runOr(refused, async () => {
    const id = visit.param('id');
    const draft = { id: id === NEW ? undefined : id, rule, seenMs: Number(form.value('seen')) };
    const saved = saveRule(access, draft, actor);
    const run = await runRules(access, actor, { isDry: true });
    const taken = run.rules.filter((each) => each.id === saved.id);
    const count = visit.count(taken[0]?.transactions ?? 0, 'transaction');
    const sum = taken.length > 0 && `, ${saySum(visit, sumOf(taken))}`;
    const message = html`${typed(saved.name)} is saved. It would take ${count} now${sum}.`;
    return { to: `${RULES}#${formatId('rul', saved.id)}`, message };
  });
}

/** The rule of the form as a file has it, and what cannot be read. */
function readForm({ access, currency, reader, form }: Visit, given: readonly Share[]) {
  const faults: Record<string, string> = {};
  const conditions: Record<string, unknown> = {};
  for (const name of Object.keys(TEXTS)) {
    const value = form.value(name) ?? '';
    if (value.trim() !== '') conditions[name] = { [form.value(`${name}-how`) ?? 'is']: value };
  }
  const [from, to] = AMOUNTS.map((name) => {
    const text = form.value(`amount-${name}`) ?? '';
    if (text.trim() === '') return undefined;
    const minor = readAt(faults, `amount-${name}`, () => reader.readMoney(text));
    return minor && toMajor(minor, currency.places);
  });
  if ((from ?? to) !== undefined) conditions['amount'] = { from, to };
  for (const name of ['direction', 'provider']) conditions[name] = form.value(name) || undefined;
  const [first = '', last = ''] = ['from', 'until'].map((name) => form.value(name));
  if (last !== '' && first > last) faults['until'] = 'The last day is before the first.';
  if (given.length > MOST.shares) faults['line-0'] = `Use at most ${MOST.shares} budget lines.`;
  const shares = given.slice(0, MOST.shares).map(({ line, amount }, at) => {
    const isRest = amount.trim() === '';
    const percent = readPercent(amount.includes('%') ? amount : `${amount}%`);
    if (!isRest && percent === undefined) {
      faults[`amount-${at}`] = 'Type a percentage, such as 25 or 12.5.';
    }
    const found = readAt(faults, `line-${at}`, () => {
      if (line.trim() !== '') return readLineField(access, line);
      const share = `${amount.replace('%', '').trim()} %`;
      throw new Failure('invalid_input', `Choose a budget line for ${share}.`);
    });
    const part = isRest ? { rest: true } : { percent: (percent ?? 0) / PERCENT };
    return { budgetLineId: found && formatId('bln', found.id), ...part };
  });
  const on = form.value('on') === 'yes';
  const rule = { name: form.value('name'), on, from: first, until: last, conditions, shares };
  return { rule, faults };
}

/** The field for a place in a file, such as `rules[0].shares[1].percent`. */
function fieldAt(place: string | null, shares: readonly Share[]): string {
  const path = (place ?? '').replace(/^rules\[0\]\.(?:conditions\.)?/, '');
  const [, at, part] = /^shares(?:\[(\d+)\]\.?(\w*))?/.exec(path) ?? [];
  if (at !== undefined) return `${part === 'percent' ? 'amount' : 'line'}-${at}`;
  if (path === 'shares') return shares.length === 0 ? 'line-0' : `amount-${shares.length - 1}`;
  if (path === 'conditions') return 'contact';
  if (path === 'amount') return 'amount-to';
  return path.replace(/^amount\./, 'amount-').replace(/\..*/, '') || 'name';
}

/** `GET /rules/{id}`; `new` for another one, which the address can fill in. */
export function showRule(visit: Visit, sent?: View): Reply {
  const { form, access } = visit;
  const list = readRules(access);
  const id = visit.param('id');
  const rule = list.rules.find((each) => formatId('rul', each.id) === id);
  if (rule === undefined && id !== NEW) throw missing('rule', id);
  const asked: View = {
    text: (name: string) => form.value(name),
    shares: readShares(visit).shares,
  };
  const view = sent ?? (rule === undefined ? asked : viewOf(visit, rule));
  const { faults = {}, status } = view;
  const fields = fieldParts(visit, view, rule);
  const isLate = status === 409 && rule !== undefined;
  const late = html`<p class="note warn"><a href="${RULES}/${id}">The rule as it is saved
now</a> may differ from what you typed, which is below. Save again to replace it.</p>`;
  const content = visit.may('rules')
    ? html`${isLate && late}${postForm(
        `${RULES}/${id}`,
        { seen: list.changedAtMs },
        html`<button class="hidden" tabindex="-1" aria-hidden="true">Save</button>${fields}
${mainActions('Save the rule', RULES)}`,
        html` class="rule-form"${unsaved(sent !== undefined)}`,
      )}`
    : html`<p>An admin of your organisation changes the rules.</p>
<fieldset class="rule-form" disabled><legend class="hidden">The rule</legend>${fields}</fieldset>`;
  return showPage(visit, {
    title: rule?.name ?? 'New rule',
    heading: rule === undefined ? undefined : typed(rule.name),
    place: RULES,
    above: [RULES, 'Rules'],
    lead: rule === undefined ? 'It is tried after the others.' : leadOf(visit, rule, list),
    content,
    faults,
    status,
  });
}

function leadOf(visit: Visit, { position, allocated }: RuleRecord, { rules }: RuleList): string {
  const so = visit.count(allocated, 'transaction');
  return `Rule ${position} of ${visit.count(rules.length)} · ${so} so far`;
}

/** What is stored. */
function viewOf({ reader }: Visit, { shares, conditions, ...rule }: RuleRecord): View {
  const { amount, ...others } = conditions;
  const minors = [amount?.fromMinor, amount?.toMinor];
  const texts: Record<string, string | undefined> = {
    name: rule.name,
    on: rule.isOn ? 'yes' : 'no',
    from: rule.from ?? '',
    until: rule.until ?? '',
  };
  for (const [at, name] of AMOUNTS.entries()) {
    const minor = minors[at];
    texts[`amount-${name}`] = minor === undefined ? '' : reader.field(minor);
  }
  for (const [name, value] of Object.entries(others)) {
    const [how, text] = typeof value === 'object' ? (Object.entries(value)[0] ?? []) : ['', value];
    Object.assign(texts, { [name]: text, [`${name}-how`]: how });
  }
  return {
    text: (name) => texts[name],
    shares: shares.map(({ budgetLineId, weight }) => {
      return {
        line: formatId('bln', budgetLineId),
        amount: weight === null ? '' : `${weight / 100} %`,
      };
    }),
  };
}

const DIRECTIONS: readonly Option[] = [
  ['', 'in or out'],
  ['out', 'out'],
  ['in', 'in'],
];
const ORIGINS: readonly Option[] = [['', 'any'], ...PROVIDERS.map((each) => [each, each] as const)];

function fieldParts(visit: Visit, view: View, rule: RuleRecord | undefined): Html {
  const { text, faults = {} } = view;
  const field = (name: string, words: Field) =>
    fieldOf(name, { ...words, value: text(name) ?? words.value }, { faults });
  const conditions = Object.entries(TEXTS).map(([name, [label, ways]]) => {
    const how = text(`${name}-how`);
    const options = Object.entries(ways).map(([way, word]) => {
      return html`<option value="${way}"${way === how && html` selected`}>${word}</option>`;
    });
    const control = (marks: Html) => html`<span class="how"><select name="${name}-how"
aria-label="How the ${label.toLowerCase()} is compared">${options}</select><input ${marks}
value="${text(name) ?? ''}" autocomplete="off"></span>`;
    return field(name, { label, control });
  });
  const { code } = visit.currency;
  return html`${field('name', { label: 'Name', isFirst: rule === undefined })}
<h2>When it fits</h2>
<p class="hint">All that are filled in have to hold. Capital letters make no difference in contacts
and descriptions.</p>
${conditions}<div class="how">${field('amount-from', { label: `Amount from, ${code}` })}${field(
    'amount-to',
    { label: `Amount up to, ${code}` },
  )}</div>
<div class="how">${field('direction', {
    label: 'Money goes',
    type: 'select',
    options: DIRECTIONS,
  })}${field('provider', { label: 'Provider', type: 'select', options: ORIGINS })}</div>
<div class="how">${field('from', { label: 'First day', type: 'date' })}${field('until', {
    label: 'Last day',
    type: 'date',
  })}</div>
<h2>Where it goes</h2>
${shareTable(visit, view)}
${field('on', {
  label: 'Use',
  type: 'checkbox',
  value: 'yes',
  options: [['yes', 'On', 'Off keeps the rule without using it.']],
})}`;
}

function shareTable({ access }: Visit, { shares, faults = {} }: View): Html {
  const lines = listLines(access);
  // A line of an archived project is not listed, but one that was chosen is.
  const isListed = new Set(lines?.map(({ id }) => formatId('bln', id)));
  const others = shares.filter(({ line }) => !isListed.has(line));
  const ids = others.flatMap(({ line }) => readId('bln', line) ?? []);
  const chosen = new Map(
    [...mapBudgetLines(access, ids).values()].map((line) => {
      return [formatId('bln', line.id), line] as const;
    }),
  );
  const offer = { lines: lines && [...lines, ...chosen.values()] };
  const shown = shares.length === 0 ? [{ line: '', amount: '' }] : shares;
  const rows = shown.map(({ line, amount }, at) => {
    const found = lines === undefined ? chosen.get(line) : undefined;
    const share = { line: found === undefined ? line : labelOf(found), amount };
    const isOnly = shown.length === 1;
    return shareRow(share, { at, faults, offer, isOnly, isLower: false, word: 'Share' });
  });
  return html`<table class="split"><thead><tr><th scope="col">Budget line</th><th scope="col"
class="num">Share, %</th><td></td></tr></thead>
<tbody>
${rows}</tbody></table>
<p class="hint">A share left empty takes the rest. Amounts are rounded so that they add up
exactly.</p>
<p class="steps-line"><button class="button plain" name="do" value="add">Add a line</button></p>
`;
}
