/** One rule: when it fits, and which budget lines share what it takes. */

import { Failure } from '../../core/failures.ts';
import { formatId, readId } from '../../core/ids.ts';
import { RULE_LIMITS as MOST } from '../../core/limits.ts';
import { toMajor } from '../../core/money.ts';
import { WHOLE } from '../../core/rules.ts';
import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { previewRule } from '../../operations/rule-previews.ts';
import { explainFull, readRule, saveRule } from '../../operations/rules.ts';
import { type RuleDraft, type RuleList, type RuleRecord, readRules } from '../../store/rules.ts';
import { typed } from '../components/elements.ts';
import {
  askOnce,
  type Field,
  type FieldPlace,
  type FormFaults,
  faultsOfDetails,
  fieldOf,
  isFaulty,
  postForm,
  readAt,
  selectOf,
  unsaved,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import {
  labelOf,
  listOfferedLines,
  readLineField,
  shareRow,
  type TypedShare,
} from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { SOURCES } from '../components/transaction-filters.ts';
import { digestOf } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { editShares, readShares } from './allocate.ts';
import { previewPart } from './rule-preview.ts';
import { saySum } from './rule-run.ts';

const NEW = 'new';
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
  readonly shares: readonly TypedShare[];
  readonly faults?: FormFaults;
  readonly status?: number;
  /** What was read, to show what it takes; and whether it is not what was shown before. */
  readonly draft?: RuleDraft;
  readonly isChanged?: boolean;
}

/** `POST /rules/{id}`: saves the rule, or shows its form with what it takes or another row. */
export async function takeRule(visit: Visit): Promise<Reply> {
  const { access, actor, form, reader } = visit;
  const given = readShares(visit).shares;
  const text = (name: string) => form.value(name) ?? '';
  const edited = editShares(visit, given, WHOLE, sayPercent);
  if (edited !== undefined) return showRule(visit, { text, shares: edited });
  const shares = given.filter(({ line, amount }) => `${line}${amount}`.trim() !== '');
  const { rule, faults } = readForm(visit, shares);
  if (isFaulty(faults)) return showRule(visit, { text, shares, faults });
  const refused = ({ details, message }: Failure, status: number) => {
    const found = faultsOfDetails(details, (place) => fieldAt(place, shares));
    const said = isFaulty(found) ? found : { name: `Nothing was saved. ${message}` };
    return showRule(visit, { text, shares, faults: said, status });
  };
  const id = visit.param('id');
  return visit.runOr(refused, async () => {
    const draft = readRule(access, { id: id === NEW ? undefined : id, rule });
    const shown = form.value('shown');
    const isChanged = shown !== markOf(draft);
    if (form.value('do') === 'show' || isChanged) {
      const note = form.value('do') !== 'show' && shown !== undefined;
      return showRule(visit, { text, shares, draft, isChanged: note });
    }
    const saved = saveRule(access, draft, { seenMs: Number(form.value('seen')), actor });
    const { taken, inMinor } = await visit.read(previewRule(access, saved));
    const { transactions, amountMinor } = taken;
    const sum = transactions > 0 && `, ${saySum(reader, [{ amountMinor, inMinor }])}`;
    const run = saved.isOn && transactions > 0 && html` <a href="/rules/run">Run the rules</a>`;
    const many = reader.count(transactions, 'transaction');
    const message = html`${typed(saved.name)} is saved. It would take ${many} now${sum}.${run}`;
    return { to: `${PATHS.rules}#${formatId('rul', saved.id)}`, message };
  });
}

/** The rule of the form as a file has it, and what cannot be read. */
function readForm(visit: Visit, given: readonly TypedShare[]) {
  const { reader, form } = visit;
  const faults: Record<string, string> = {};
  const conditions: Record<string, unknown> = {};
  for (const name of Object.keys(TEXTS)) {
    const value = form.value(name) ?? '';
    if (value.trim() !== '') conditions[name] = { [form.value(`${name}-how`) ?? 'is']: value };
  }
  const [from, to] = ['from', 'to'].map((name) => {
    const text = form.value(`amount-${name}`) ?? '';
    if (text.trim() === '') return undefined;
    const minor = reader.findMoney(text);
    if (typeof minor === 'number') return toMajor(minor, reader.currency.places);
    faults[`amount-${name}`] = `${LABELS[`amount.${name}`]}: ${minor}`;
    return undefined;
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
      faults[`amount-${at}`] = `Share ${at + 1}: Type a percentage, such as 25 or 12.5.`;
    }
    const found = readAt(faults, `line-${at}`, () => {
      if (line.trim() !== '') return readLineField(visit, line);
      const share = `${amount.replace('%', '').trim()}%`;
      throw new Failure('invalid_input', `Choose a budget line for ${share}.`);
    });
    const part = isRest ? { rest: true } : { percent: (percent ?? 0) / PERCENT };
    return { budgetLineId: found && formatId('bln', found.id), ...part };
  });
  const on = form.value('on') === 'yes';
  const rule = { name: form.value('name'), on, from: first, until: last, conditions, shares };
  return { rule, faults };
}

/** What the form calls what is at a place; texts have their labels above. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  from: 'First day',
  until: 'Last day',
  'amount.from': 'Amount from',
  'amount.to': 'Amount up to',
};

/** The field for a place in a file, such as `rules[0].shares[1].percent`. */
function fieldAt(place: string, shares: readonly TypedShare[]): FieldPlace {
  const path = place.replace(/^rules\[0\]\.(?:conditions\.)?/, '');
  const [, at, part] = /^shares(?:\[(\d+)\]\.?(\w*))?/.exec(path) ?? [];
  if (at !== undefined) {
    return [`${part === 'percent' ? 'amount' : 'line'}-${at}`, `Share ${Number(at) + 1}`];
  }
  if (path === 'shares') return [shares.length === 0 ? 'line-0' : `amount-${shares.length - 1}`];
  if (path === 'conditions') return ['contact'];
  if (path === 'amount') return ['amount-to'];
  const [name = '', end] = path.split('.');
  if (name === 'amount') return [`amount-${end}`, LABELS[path]];
  return [name, LABELS[name] ?? TEXTS[name as keyof typeof TEXTS]?.[0]];
}

/** A mark of what decides which transactions a rule takes, and how. */
function markOf({ conditions, shares, from, until }: RuleDraft): string {
  const parts = shares.map(({ budgetLineId, weight }) => [budgetLineId, weight]);
  const named = Object.entries(conditions).sort(([one], [two]) => (one < two ? -1 : 1));
  return digestOf([named, parts, from, until]);
}

/** `GET /rules/{id}`; `new` for another one, which the address can fill in. */
export async function showRule(visit: Visit, sent?: View): Promise<Reply> {
  const { form, access, reader } = visit;
  const list = readRules(access);
  const id = visit.param('id');
  const rule = list.rules.find((each) => formatId('rul', each.id) === id);
  if (rule === undefined && id !== NEW) throw missing('rule', id);
  const asked: View = {
    text: (name: string) => form.value(name),
    shares: readShares(visit).shares,
  };
  const view = sent ?? (rule === undefined ? asked : viewOf(reader, rule));
  const { faults = {}, status, draft, isChanged } = view;
  const fields = fieldParts(visit, view, rule);
  const isLate = status === 409 && rule !== undefined;
  const late = html`<p class="note warn"><a href="${PATHS.rules}/${id}">The saved rule</a>
may differ from what you typed, which is below. Save again to replace the saved rule.</p>`;
  const state = sent === undefined ? 'These figures are for the saved rule.' : NOT_SAVED;
  const about = draft?.isOn
    ? state
    : `${state} The rule is off, and takes nothing until you switch it on.`;
  const isSent = sent !== undefined;
  // What was seen first, so that what someone else saved since is not replaced unseen.
  const seen = isSent && status !== 409 ? form.value('seen') : list.changedAtMs;
  const shown = draft && (await previewPart(visit, draft, { about, isSent }));
  const preview = shown && html`${isChanged && CHANGED}${shown}`;
  const full = rule === undefined ? explainFull(list.rules) : undefined;
  const canSave = visit.may('rules') && full === undefined;
  const content = canSave
    ? html`${isLate && late}${postForm(
        `${PATHS.rules}/${id}`,
        { seen, shown: draft && markOf(draft) },
        html`<button class="hidden" name="do" value="${draft ? 'save' : 'show'}" tabindex="-1"
aria-hidden="true">Enter</button>${fields}${actionsOf(draft !== undefined)}`,
        html` class="rule-form split-form" data-parts="${WHOLE}"${
          isSent && draft === undefined && html` data-again`
        }${unsaved(isSent)}`,
      )}`
    : html`<p>${full ?? 'An admin of your organisation changes the rules.'}</p>
<fieldset class="rule-form" disabled><legend class="hidden">The rule</legend>${fields}</fieldset>`;
  return showPage(visit, {
    title: rule?.name ?? 'New rule',
    heading: rule === undefined ? undefined : typed(rule.name),
    place: PATHS.rules,
    above: [[PATHS.rules, 'Rules']],
    actions: rule && visit.may('rules') && removal(rule, list),
    lead: rule === undefined ? 'A new rule is tried after the others.' : leadOf(reader, rule, list),
    content: html`<div class="with-preview"><div>${content}</div>${preview}</div>`,
    faults,
    status,
  });
}

function removal({ id, name }: RuleRecord, { changedAtMs: seen }: RuleList): Html {
  const question = html`<b>${typed(name)}</b> is removed from the list. Its allocations stay.`;
  const words = { open: 'Remove', on: name, question, button: 'Remove the rule' };
  return askOnce(words, PATHS.rules, { rule: formatId('rul', id), seen, act: 'remove' });
}

const CHANGED = html`<p class="note warn" role="status">You changed the rule after this was shown.
This is what it takes now.</p>`;

const NOT_SAVED = 'Nothing is saved yet. These figures are for the rule in the form.';

function actionsOf(isShown: boolean): Html {
  const show = (look: string) =>
    html`<button class="${look}" name="do" value="show">Show what it takes</button>`;
  return html`<p class="actions">${
    isShown
      ? html`<button class="button primary" name="do" value="save">Save the rule</button>
${show('button')}`
      : show('button primary')
  } <a class="button" href="${PATHS.rules}">Cancel</a></p>`;
}

function leadOf(reader: Reader, { position, allocated }: RuleRecord, { rules }: RuleList): string {
  const so = reader.count(allocated, 'transaction');
  return `Rule ${position} of ${reader.count(rules.length)} · ${so} so far`;
}

/** What is stored. */
function viewOf(reader: Reader, record: RuleRecord): View {
  const { shares, conditions, ...rule } = record;
  const { amount, ...others } = conditions;
  const money = (minor: number | undefined) => (minor === undefined ? '' : reader.field(minor));
  const texts: Record<string, string | undefined> = {
    name: rule.name,
    on: rule.isOn ? 'yes' : 'no',
    from: rule.from ?? '',
    until: rule.until ?? '',
    'amount-from': money(amount?.fromMinor),
    'amount-to': money(amount?.toMinor),
  };
  for (const [name, value] of Object.entries(others)) {
    const [how, text] = typeof value === 'object' ? (Object.entries(value)[0] ?? []) : ['', value];
    Object.assign(texts, { [name]: text, [`${name}-how`]: how });
  }
  return {
    text: (name) => texts[name],
    shares: shares.map(({ budgetLineId, weight }) => {
      const amount = weight === null ? '' : sayPercent(weight);
      return { line: formatId('bln', budgetLineId), amount };
    }),
    draft: record,
  };
}

const sayPercent = (weight: number) => `${weight / 100}%`;

const DIRECTIONS = [
  ['', 'in or out'],
  ['out', 'out'],
  ['in', 'in'],
] as const;
const ORIGINS = [['', 'any'] as const, ...Object.entries(SOURCES)];

function fieldParts(visit: Visit, view: View, rule: RuleRecord | undefined): Html {
  const { text, faults = {} } = view;
  const field = (name: string, words: Field) =>
    fieldOf(name, { ...words, value: text(name) ?? words.value }, { faults });
  const input = (name: string, marks: Html) =>
    html`<input ${marks} value="${text(name) ?? ''}" autocomplete="off">`;
  /** One condition: what it looks at, how, and with what. */
  const row = (name: string, [label, how]: [string, HtmlValue], control: (marks: Html) => Html) =>
    field(name, {
      label,
      control: (marks) => html`<span class="how">${how}</span>${control(marks)}`,
    });
  const range = (
    names: readonly [string, string],
    label: string,
    words: [string, string],
    type: Html,
  ) => {
    const [first, last] = names;
    const fault = faults[last];
    const wrong =
      fault !== undefined && html` aria-invalid="true" aria-describedby="${last}-fault"`;
    return row(
      first,
      [label, 'from … to'],
      (marks) => html`<span
class="pair">${input(first, html`${marks}${type} aria-label="${words[0]}"`)} <span
class="soft">to</span>
${input(last, html`id="${last}" name="${last}"${type} aria-label="${words[1]}"${wrong}`)}</span>${
        fault !== undefined && html`<span class="fault" id="${last}-fault">${fault}</span>`
      }`,
    );
  };
  const conditions = Object.entries(TEXTS).map(([name, [label, ways]]) => {
    const marks = html`name="${name}-how" aria-label="How the ${label.toLowerCase()} is compared"`;
    const how = selectOf(marks, Object.entries(ways), text(`${name}-how`));
    return row(name, [label, how], (own) => input(name, own));
  });
  return html`${field('name', { label: 'Name', isFirst: rule === undefined })}
<h2>When it fits</h2>
<p class="hint">A transaction must meet every condition that you fill in. Capital letters make no
difference in contacts and descriptions.</p>
<div class="conditions">
${conditions}${range(
  ['amount-from', 'amount-to'],
  `Amount, ${visit.reader.currency.code}`,
  ['Amount from', 'Amount up to'],
  html` inputmode="decimal"`,
)}${row('direction', ['Money', 'goes'], (marks) =>
  selectOf(marks, DIRECTIONS, text('direction')),
)}${row('provider', ['Source', 'is'], (marks) =>
  selectOf(marks, ORIGINS, text('provider')),
)}${range(['from', 'until'], 'Dated', ['First day', 'Last day'], html` type="date"`)}</div>
<h2>Where it goes</h2>
${shareTable(visit, view)}
${field('on', {
  label: 'Use',
  type: 'checkbox',
  value: 'yes',
  options: [['yes', 'On', 'A rule that is off stays in the list, but is not used.']],
})}`;
}

function shareTable({ access }: Visit, { shares, faults = {} }: View): Html {
  const lines = listOfferedLines(access);
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
  const parts = shown.map(({ amount }) => readPercent(`${amount.replace('%', '')}%`) ?? 0);
  const left = parts.reduce((rest, part) => rest - part / (PERCENT / 100), WHOLE);
  return html`<table class="split" aria-label="Shares"><thead><tr><th
scope="col">Budget line</th><th scope="col" class="num">Share, %</th><td></td></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row" data-word>${left < 0 ? 'Too much by' : 'Left for the rest'}</th><td
class="num"><b data-left>${sayPercent(Math.abs(left))}</b></td></tr></tfoot></table>
<p class="hint">A share left empty takes the rest. Amounts are rounded so that they add up
exactly.</p>
<p class="steps-line">${
    shown.length < MOST.shares &&
    html`<button class="button plain" name="do" value="add">Add a line</button>`
  } <button
class="button plain" name="do" value="split">Equal shares</button></p>
`;
}
