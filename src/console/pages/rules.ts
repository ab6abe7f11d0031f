/** The rules in their order: what each does, and how they run. */

import { formatId } from '../../core/ids.ts';
import { RULE_LIMITS as LIMITS } from '../../core/limits.ts';
import { BY_ACCOUNT_CODE, daysOf } from '../../core/rules.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { readChoice } from '../../operations/input.ts';
import { type RuleOutcome, tryRules } from '../../operations/rule-runs.ts';
import { changeRule, changeRules, explainFull, RULE_ACTS } from '../../operations/rules.ts';
import { type RuleList, type RuleRecord, readRules } from '../../store/rules.ts';
import {
  type Column,
  jobRow,
  moneyCell,
  sectionPart,
  stackTable,
  typed,
  unseen,
} from '../components/elements.ts';
import { fieldOf, narrowForm, postForm, type Sent, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import { sayConditions } from '../sentences/history.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { saySum } from './rule-run.ts';

/** `POST /rules`: moves, switches or removes a rule, or says how the rules run. */
export function takeRules(visit: Visit): Promise<Reply> {
  const { access, actor, form } = visit;
  return visit.runOr(
    ({ message }, status) => showRules(visit, { faults: { rules: message }, status }),
    () => {
      const id = form.value('rule');
      if (id === undefined) {
        const on = form.value('byCode');
        const automatic = on === undefined ? form.value('automatic') === 'yes' : undefined;
        const byAccountCode = on === undefined ? undefined : on === 'on';
        changeRules(access, { automatic, byAccountCode }, actor);
        return { to: PATHS.rules, message: 'Saved.' };
      }
      const act = readChoice('The change', form.value('act') ?? '', RULE_ACTS);
      const rule = changeRule(access, { id, act, seenMs: Number(form.value('seen')) }, actor);
      return {
        to: `${PATHS.rules}#${idOf(rule)}`,
        message: html`${typed(rule.name)} ${DONE[act](rule)}`,
      };
    },
  );
}

const DONE: Readonly<Record<(typeof RULE_ACTS)[number], (rule: RuleRecord) => string>> = {
  up: ({ position }) => `is now rule ${position}.`,
  down: ({ position }) => `is now rule ${position}.`,
  remove: () => 'was removed. Its allocations stay.',
};

const JOB = 'Transactions the rules would allocate now';
const LOOK = html`<a class="button primary" href="/rules/run">Preview and allocate</a>`;

/** `GET /rules`. */
export async function showRules(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const { access, reader } = visit;
  const list = readRules(access);
  const most = LIMITS.previewed;
  const run = await visit.read(tryRules(access, { most }));
  const others = run.ambiguous + run.unmatched;
  const sum = html`${saySum(reader, run.rules)}${
    others > 0 && `. ${reader.count(others, 'other fits', 'others fit')} no rule`
  }.${run.isCut ? ` These are the oldest ${reader.count(most)} to allocate.` : ''}`;
  const job =
    run.allocated === 0
      ? html`<p class="soft">Nothing for the rules to do.</p>`
      : html`<ul class="jobs field">${jobRow(reader.count(run.allocated), JOB, sum, LOOK)}</ul>`;
  return showPage(visit, {
    title: 'Rules',
    place: PATHS.rules,
    lead: `Rules allocate transactions that nobody has allocated yet. The first rule in the list
that fits a transaction takes it.`,
    content: html`${job}
${ruleTable(visit, list, run.rules)}
${runningPart(visit, list)}
<p class="below small soft">Rules never touch transactions that a person allocated, or that are
excluded or under review. If you change or remove a rule, its earlier allocations stay.
<code>budgetd rules import FILE.json</code> replaces the list with a file.</p>`,
    actions:
      visit.may('rules') &&
      (explainFull(list.rules) ?? html`<a class="button" href="/rules/new">New rule</a>`),
    ...sent,
  });
}

const idOf = ({ id }: Pick<RuleRecord, 'id'>) => formatId('rul', id);

/** A rule of the list; undefined: by account code. */
type Row = RuleRecord | undefined;

function ruleTable(visit: Visit, list: RuleList, taken: readonly RuleOutcome[]): Html {
  const { reader } = visit;
  const { rules } = list;
  const mayChange = visit.may('rules');
  const takes = (row: Row): HtmlValue => {
    const found = taken.find(({ id }) => id === (row?.id ?? null));
    if (found === undefined) return html`<span class="soft">–</span>`;
    const path = row === undefined ? PATHS.byCode : `${PATHS.rules}/${idOf(row)}`;
    const amount = moneyCell(found.amountMinor, reader);
    return html`<a href="${path}"><b>${reader.count(found.transactions)}</b></a> <span
class="sub">${amount}</span>`;
  };
  const columns: readonly Column<Row>[] = [
    ['Order', 'order', (row) => (row === undefined ? 'last' : orderOf(row, list, mayChange))],
    [
      html`Rule <span class="sub">and when it fits</span>`,
      'whole',
      (row) => html`<b>${
        row === undefined
          ? typed(BY_ACCOUNT_CODE)
          : html`<a href="${PATHS.rules}/${idOf(row)}">${typed(row.name)}</a>`
      }</b> ${stateOf(visit, row, list)}
<span class="sub if">${
        row === undefined ? BUILT_IN : sayConditions(reader, row.conditions)
      }</span>${row === undefined && mayChange && switchForm(list)}`,
    ],
    ['Goes to', 'whole', (row) => (row === undefined ? CLAIMING : sharesOf(row))],
    ['Valid', 'whole soft', (row) => validOf(reader, row)],
    [
      'Allocated so far',
      'num whole',
      (row) => {
        const { name: rule, allocated } = row ?? {
          name: BY_ACCOUNT_CODE,
          allocated: list.allocatedByCode,
        };
        const path = listPath(PATHS.list, { rule, via: 'rules' });
        const count = reader.count(allocated);
        return allocated === 0 ? count : html`<a href="${path}">${count}</a>`;
      },
      'Allocated so far',
    ],
    [`Would take now, ${reader.currency.code}`, 'num whole', takes, 'Would take now'],
  ];
  return stackTable(columns, [...rules, undefined], {
    label: 'Rules, in the order in which they are tried',
    look: 'rules ',
    hasRowHeads: false,
    idOf: (row) => (row === undefined ? 'by-account-code' : idOf(row)),
  });
}

const BUILT_IN =
  'Built in. One budget line claims the code, in the project whose days include the date';
const CLAIMING = 'All of it to the line that claims the code';

function orderOf(
  rule: RuleRecord,
  { rules, changedAtMs: seen }: RuleList,
  mayChange: boolean,
): Html {
  const { position } = rule;
  const step = (act: 'up' | 'down', arrow: string) =>
    postForm(
      PATHS.rules,
      { rule: idOf(rule), seen, act },
      html`<button class="step"><span aria-hidden="true">${arrow}</span>${unseen(
        `Move ${rule.name} ${act}`,
      )}</button>`,
    );
  const nth = html`<span class="nth">${position}</span>`;
  return html`${mayChange && position > 1 && step('up', '↑')} ${nth} ${
    mayChange && position < rules.length && step('down', '↓')
  }`;
}

function stateOf(visit: Visit, row: Row, list: RuleList): HtmlValue {
  const tag = (look: string, word: string) => html`<span class="tag ${look}">${word}</span>`;
  if (row === undefined) return list.byAccountCode ? '' : tag('excluded', 'Off');
  if (!row.isOn) return tag('excluded', 'Off');
  if (row.shares.some(({ isArchived }) => isArchived)) return tag('review', 'Line archived');
  const today = visit.reader.dayOf(visit.nowMs);
  if (row.until !== null && row.until < today) return tag('ended', 'Ended');
  const days = daysOf(row);
  return days === undefined || days.until < today ? tag('ended', 'Project ended') : '';
}

function sharesOf({ shares }: RuleRecord): Html {
  const isWhole = shares.length === 1;
  return html`<ul class="shares">${shares.map((share) => {
    const part = share.weight === null ? 'the rest' : `${share.weight / 100}%`;
    return html`<li>${!isWhole && html`<span class="part">${part}</span>`}<span>${typed(
      share.lineCode === null ? share.lineName : `${share.lineCode} ${share.lineName}`,
    )} <span class="soft">· ${typed(share.projectName)}</span></span></li>`;
  })}</ul>`;
}

function validOf(reader: Reader, row: Row): string {
  const { from = null, until = null } = row ?? {};
  const day = (date: string) => reader.dayText(date);
  if (from !== null && until !== null) return `${day(from)} to ${day(until)}`;
  if (from !== null) return `from ${day(from)}`;
  return until === null ? 'Always' : `until ${day(until)}`;
}

/** Switches the built-in rule, which has no page of its own. */
function switchForm({ byAccountCode }: RuleList): Html {
  const [word, to] = byAccountCode ? ['Switch off', 'off'] : ['Switch on', 'on'];
  const name = unseen(` ${BY_ACCOUNT_CODE}`);
  return postForm(PATHS.rules, { byCode: to }, html`<button class="link">${word}${name}</button>`);
}

function runningPart(visit: Visit, { automatic }: RuleList): Html {
  const field = { ...RUNNING, value: automatic ? 'yes' : 'no' };
  const content = visit.may('rules')
    ? narrowForm(PATHS.rules, fieldOf('automatic', field), { button: 'Save' })
    : html`<p>${automatic ? 'The rules run immediately.' : 'The rules wait until a user runs them.'}
An admin of your organisation changes them.</p>`;
  return sectionPart('auto', 'After each push and import', content);
}

const RUNNING = {
  label: 'When the rules run',
  type: 'radio',
  options: [
    ['no', 'Wait until a user runs the rules', 'New transactions wait on this page.'],
    ['yes', 'Run them immediately', 'Each run is in the activity, and can be undone there.'],
  ],
} as const;
