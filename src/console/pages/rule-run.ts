/** Running the rules: what they would do, and doing exactly that. */

import { nounFor } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { RULE_LIMITS as LIMITS } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { type RuleOutcome, type RuleSum, runRules, tryRules } from '../../operations/rule-runs.ts';
import {
  type ClaimGroup,
  listProjectCodes,
  mapOtherClaims,
  type OtherClaim,
} from '../../store/account-codes.ts';
import { lastWriteMs } from '../../store/audit.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { Ruling } from '../../store/rule-runs.ts';
import { lastPlanMs, readRules } from '../../store/rules.ts';
import {
  type Column,
  emptyPart,
  moneyCell,
  nameFirst,
  sectionPart,
  stackTable,
  typed,
  unseen,
} from '../components/elements.ts';
import { mainActions, postForm, type Sent, takeForm, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { mapLinesAfter, newRulePath, sayLeft } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { listPath, transactionLink } from '../components/transaction-filters.ts';
import { sayChanged } from '../sentences/refusals.ts';
import type { Outcome } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';

const RUN = '/rules/run';
/** The tick of the built-in rule. */
const BUILT_IN = 'code';

const keyOf = ({ id }: Pick<RuleOutcome, 'id'>) => (id === null ? BUILT_IN : formatId('rul', id));

/** `POST /rules/run`: allocates what the page showed and was ticked. */
export function takeRun(visit: Visit): Promise<Reply> {
  return takeForm(visit, RUNNING, showRun, ({ rule: ticked }) => {
    if (visit.form.value('plan') !== String(lastPlanMs(visit.access))) {
      throw new Failure(
        'conflict',
        'The rules or a project have changed. Check the new list below.',
      );
    }
    return runShown(visit, ticked);
  });
}

const RUNNING = {
  rule: {
    label: 'Rules',
    refused: 'Nothing was done. ',
    /** Each rule that is ticked, with how many transactions it took on the page. */
    read: (_: string, texts: readonly string[]): ReadonlyMap<string, string> => {
      if (texts.length === 0) throw new Failure('invalid_input', 'Select at least one rule.');
      return new Map(texts.map((text) => text.split('~') as [string, string]));
    },
  },
};

/** Every write has a later stamp than the one before, so what came since has a later one too. */
async function runShown(visit: Visit, ticked: ReadonlyMap<string, string>): Promise<Outcome> {
  const { reader } = visit;
  const seenMs = Number(visit.form.value('seen') ?? 0);
  const [lastDay = '', lastId = ''] = visit.field('last').split(' ');
  const wanted = wantedOf(visit);
  const { allocated, rules, actsMs, stopped } = await runRules(visit.access, visit.actor, {
    ...wanted,
    accepts: ({ rule, transaction: { date, id, updatedAtMs } }) => {
      const isReached = date < lastDay || (date === lastDay && formatId('txn', id) >= lastId);
      return isReached && updatedAtMs <= seenMs && ticked.has(keyOf({ id: rule?.id ?? null }));
    },
  });
  const shown = [...ticked.values()].reduce((sum, count) => sum + Number(count), 0);
  const many = reader.count(allocated, 'transaction');
  const by = reader.count(rules.length, 'rule');
  const rest = stopped
    ? ` The rest was not changed: ${stopped.message}`
    : shown > allocated && ` ${sayChanged(reader, shown - allocated)}`;
  const message = html`${many} allocated by ${by}: ${saySum(reader, rules)}.${rest}`;
  return { to: listPath(RUN, {}, askedOf(visit)), message, undo: actsMs };
}

/** What the address or the form asks for: from a day or up to one, or by account code alone. */
function askedOf({ form }: Visit) {
  const [from, until] = ['from', 'until'].map((name) => form.value(name) || undefined);
  return { only: form.value('only') === BUILT_IN ? BUILT_IN : undefined, from, until };
}

function wantedOf(visit: Visit) {
  const { only, ...days } = askedOf(visit);
  return { ...days, onlyByAccountCode: only !== undefined, most: LIMITS.previewed };
}

/** That there are more, and where: rules may never take the oldest. */
function sayCut(visit: Visit, day: string): Html {
  const { reader } = visit;
  const asked = askedOf(visit);
  const next = listPath(RUN, {}, { ...asked, from: day });
  return html` These are the oldest ${reader.count(LIMITS.previewed)} to allocate${
    asked.from !== undefined && html` from ${reader.day(asked.from)} on`
  }.${day !== asked.from && html` <a href="${next}">Continue from ${reader.day(day)}</a>`}`;
}

/** `GET /rules/run`, for some days alone, and with `only` for the built-in rule alone. */
export async function showRun(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const { access, reader } = visit;
  // Before the rules are tried: transactions that are pushed from now on are left.
  const [seen, plan] = [lastWriteMs(access) ?? 0, lastPlanMs(access)];
  const wanted = wantedOf(visit);
  const months = new Map<string, MonthSum>();
  const left: Ruling[] = [];
  // Of the oldest, and of a day those with the highest numbers first. Once someone has allocated
  // some of them, others are among the oldest, which the page did not show.
  let last = '';
  const onRuling = (ruling: Ruling) => {
    last = `${ruling.transaction.date} ${formatId('txn', ruling.transaction.id)}`;
    if (ruling.rule !== undefined) addMonth(months, ruling);
    else if (left.length < LEFT_ROWS) left.push(ruling);
  };
  const run = await visit.read(tryRules(access, { ...wanted, onRuling }));
  const content =
    run.allocated === 0
      ? NOTHING
      : postForm(
          RUN,
          { seen, plan, last, ...askedOf(visit) },
          html`${ruleTable(visit, run.rules)}
<p class="sums"><span><b>${reader.count(run.allocated)}</b> ${nounFor(
            run.allocated,
            'transaction',
          )}</span> <span>${saySum(reader, run.rules)}</span></p>
${mainActions(`Allocate ${reader.count(run.allocated, 'transaction')}`, PATHS.rules)}
${monthTable(reader, months)}`,
        );
  return showPage(visit, {
    title: wanted.onlyByAccountCode ? 'Allocate by account code' : 'Run the rules',
    place: PATHS.rules,
    above: [[PATHS.rules, 'Rules']],
    lead: html`Nothing is saved yet. The rules that you tick allocate only the transactions counted
here.${run.isCut && sayCut(visit, last.split(' ')[0] ?? '')}`,
    content: html`${content}${leftTable(visit, left, run.ambiguous + run.unmatched)}`,
    ...sent,
  });
}

/** What a month would get. */
interface MonthSum {
  readonly month: string;
  transactions: number;
  outMinor: number;
  inMinor: number;
}

function addMonth(months: Map<string, MonthSum>, { transaction }: Ruling): void {
  const { date, amountMinor } = transaction;
  const month = date.slice(0, 7);
  const sum = months.get(month) ?? { month, transactions: 0, outMinor: 0, inMinor: 0 };
  months.set(month, sum);
  sum.transactions += 1;
  sum.outMinor += Math.max(0, amountMinor);
  sum.inMinor -= Math.min(0, amountMinor);
}

function monthTable(reader: Reader, months: ReadonlyMap<string, MonthSum>): Html {
  const sorted = [...months.values()].sort((one, two) => (one.month < two.month ? -1 : 1));
  const columns: readonly Column<MonthSum>[] = [
    ['Month', '', ({ month }) => reader.months([month])],
    ['Transactions', 'num', (each) => reader.count(each.transactions), 'Transactions'],
    [`Out, ${reader.currency.code}`, 'num', ({ outMinor }) => reader.money(outMinor), 'Out'],
    [`In, ${reader.currency.code}`, 'num', ({ inMinor }) => reader.money(inMinor), 'In'],
  ];
  return sectionPart('months', 'By month', stackTable(columns, sorted, { labelledBy: 'months' }));
}

/** Transactions that no rule takes, of which so many are shown. */
const LEFT_ROWS = 50;

/** The oldest of those that no rule takes, with why. */
function leftTable(visit: Visit, left: readonly Ruling[], count: number): Html | undefined {
  if (left.length === 0) return undefined;
  const { reader } = visit;
  const why = explainLeft(visit, left);
  const columns: readonly Column<Ruling>[] = [
    ['Date', 'nowrap', ({ transaction: { date } }) => reader.day(date)],
    ['Contact', 'whole', ({ transaction }) => transactionLink(transaction, { tab: 'open' })],
    ['Code', '', ({ transaction: { accountCode: code } }) => code && html`<code>${code}</code>`],
    [
      `Amount, ${reader.currency.code}`,
      'num lead',
      ({ transaction }) => moneyCell(transaction.amountMinor, reader),
    ],
    ['Why', 'whole', (each) => html`${why(each)}${makeLink(visit, each)}`],
  ];
  const more = count - left.length;
  const rest = more > 0 && html`<p class="soft">And ${reader.count(more)} newer.</p>`;
  const list = listPath(PATHS.list, { tab: 'open' });
  const fits = nounFor(count, 'fits', 'fit');
  const aside = html`<p class="soft"><a href="${list}">${reader.count(count)}</a> ${fits} no
rule</p>`;
  const table = stackTable(columns, left, { labelledBy: 'left', hasRowHeads: false });
  return sectionPart('left', 'Not allocated', html`${table}${rest}`, { aside, look: 'below' });
}

/** Says why no rule takes one of these. */
function explainLeft(visit: Visit, left: readonly Ruling[]): (ruling: Ruling) => HtmlValue {
  const { access, reader } = visit;
  const projectCodes = listProjectCodes(access);
  const transactions = left.map(({ transaction }) => transaction);
  const others = mapOtherClaims(access, transactions);
  const several = left.flatMap(({ budgetLineIds }) => budgetLineIds.slice(0, NAMED_LINES));
  const lines = mapBudgetLines(access, several);
  const isOff = !readRules(access).byAccountCode && !wantedOf(visit).onlyByAccountCode;
  return (ruling) => {
    const { accountCode, projectCode, date } = ruling.transaction;
    if (ruling.isLeft) return 'someone removed or undid its allocations';
    if (accountCode === null) return 'it has no account code';
    if (isOff) return 'no rule fits it, and the rule by account code is off';
    if (ruling.kind === 'ambiguous') return sayAmbiguous(reader, ruling, lines);
    const isLookedAt = projectCodes.size > 0 && projectCode !== null;
    if (isLookedAt && !projectCodes.has(projectCode)) return NO_PROJECT;
    const group = { projectCode: isLookedAt ? projectCode : null, from: date, to: date };
    const why = sayOther(reader, group, others.get(left.indexOf(ruling)));
    return html`${why}${claimLink(visit, accountCode, group.projectCode)}`;
  };
}

const NO_LINE = 'no line claims it';
const NO_PROJECT = 'no project has this project code';

/** Lines that claim the same code and are named. */
const NAMED_LINES = 5;

/** Which lines claim the same code. */
function sayAmbiguous(
  reader: Reader,
  { budgetLineIds }: Pick<ClaimGroup, 'budgetLineIds'>,
  lines: ReadonlyMap<number, LineChoice>,
): HtmlValue {
  const names = nameFirst(reader, budgetLineIds, NAMED_LINES, (id) => {
    const line = lines.get(id);
    return line && html`${typed(nameLine(line))} of ${typed(line.projectName)}`;
  });
  return html`several lines claim it: ${names}`;
}

/** Why no line claims a group on its days. */
function sayOther(
  reader: Reader,
  { projectCode, from, to }: Pick<ClaimGroup, 'projectCode' | 'from' | 'to'>,
  line: OtherClaim | undefined,
): HtmlValue {
  if (line === undefined) {
    return projectCode === null ? NO_LINE : `${NO_LINE} in a project with this project code`;
  }
  const { projectName, startDate, endDate, isArchived, lines } = line;
  const claims = html`${typed(nameLine(line))} of ${typed(projectName)}${
    lines > 1 && ' and others'
  } ${lines > 1 ? 'claim' : 'claims'} it`;
  if (isArchived === 1) return html`${claims}, but the project is archived.`;
  const days = from === to ? reader.day(to) : html`${reader.day(from)} to ${reader.day(to)}`;
  return html`${claims}, but the project runs from ${reader.day(startDate)} to ${reader.day(
    endDate,
  )}. These transactions are dated ${days}.`;
}

/** A link to choose the line that is to claim a code. */
function claimLink(visit: Visit, code: string, projectCode: string | null): HtmlValue {
  if (!visit.may('projects')) return undefined;
  const path = listPath(PATHS.claim, {}, { code, project: projectCode ?? undefined });
  return html` <a href="${path}">Choose a line to claim it${unseen(` ${code}`)}</a>`;
}

/** A link that begins a rule with what a transaction has. */
function makeLink(visit: Visit, { transaction }: Ruling): HtmlValue {
  if (!visit.may('rules')) return undefined;
  const name = transaction.contact ?? transaction.description;
  return html` <a href="${newRulePath(transaction)}">Make a rule${unseen(` for ${name}`)}</a>`;
}

const NOTHING = emptyPart(
  'Nothing for the rules to do',
  'Rules allocate transactions that nobody has allocated yet. None of these fits a rule.',
);

/** Lines of one rule that are shown: by account code can have any number. */
const LINE_ROWS = 100;

/** A rule, or one of its lines below it. */
type Row = { readonly rule: RuleOutcome } & Partial<{ readonly line: [id: number, sum: RuleSum] }>;

/** The table of what the rules would allocate, below the lines that it would put over. */
function ruleTable(visit: Visit, rules: readonly RuleOutcome[]): Html {
  const { reader } = visit;
  const taken = new Map<number, number>();
  for (const [id, { amountMinor }] of rules.flatMap((rule) => [...rule.lines])) {
    taken.set(id, (taken.get(id) ?? 0) + amountMinor);
  }
  const lines = mapLinesAfter(visit.access, taken);
  const rows = rules.flatMap((rule): Row[] => {
    const largest = [...rule.lines].sort(
      ([, one], [, two]) => Math.abs(two.amountMinor) - Math.abs(one.amountMinor),
    );
    return [{ rule }, ...largest.slice(0, LINE_ROWS).map((line) => ({ rule, line }))];
  });
  const more = rules.reduce((all, each) => all + Math.max(0, each.lines.size - LINE_ROWS), 0);
  const name = ({ rule, line }: Row): HtmlValue => {
    if (line !== undefined) {
      const found = lines.get(line[0])?.line;
      return (
        found &&
        html`${typed(nameLine(found))} <span class="soft">· ${typed(found.projectName)}</span>`
      );
    }
    const key = keyOf(rule);
    const isFirst = rule === rules[0] && html` id="rule"`;
    return html`<label class="choice"><input type="checkbox" name="rule"${isFirst}
value="${key}~${rule.transactions}" checked> <b>${rule.position ?? 'last'} · ${typed(
      rule.name,
    )}</b></label>`;
  };
  const countOf = ({ rule, line }: Row): HtmlValue => {
    const count = reader.count((line?.[1] ?? rule).transactions);
    if (line === undefined) {
      if (keyOf(rule) === visit.asked('only')) return html`<b>${count}</b>`;
      const path = rule.id === null ? PATHS.byCode : `${PATHS.rules}/${keyOf(rule)}`;
      return html`<a href="${path}">${count}</a>`;
    }
    return html`<span class="soft">${count}</span>`;
  };
  const amountOf = ({ rule, line }: Row): HtmlValue => {
    const amount = moneyCell((line?.[1] ?? rule).amountMinor, reader);
    return line === undefined ? html`<b>${amount}</b>` : amount;
  };
  const columns: readonly Column<Row>[] = [
    [html`Rule <span class="sub">and where it goes</span>`, 'whole', name],
    ['Transactions', 'num', countOf, 'Transactions'],
    [`Amount, ${reader.currency.code}`, 'num lead', amountOf],
    [
      'Left in the line after',
      'num',
      ({ line }) => {
        const after = line && lines.get(line[0]);
        return after && sayLeft(reader, after);
      },
      'Left after',
    ],
  ];
  const table = stackTable(columns, rows, { label: 'What would be allocated', look: 'rules run ' });
  const rest = more > 0 && html`<p class="soft">And ${reader.count(more, 'more line')}.</p>`;
  return html`${overOf(reader, lines)}
${table}${rest}`;
}

/** The lines that would be over their budgets: how many, and the one that is furthest over. */
function overOf(reader: Reader, lines: ReturnType<typeof mapLinesAfter>): Html | undefined {
  const over = [...lines.values()].filter(({ line, leftMinor }) => {
    return leftMinor < 0 && line.kind === 'expense';
  });
  const [first] = over.sort((one, two) => one.leftMinor - two.leftMinor);
  if (first === undefined) return undefined;
  const [many, sum] = [reader.count(over.length, 'line'), reader.money(-first.leftMinor)];
  return html`<p class="note warn"><span class="over">${many} over budget</span>
<span>${over.length > 1 && 'Furthest over: '}${typed(nameLine(first.line))}, by ${sum}.</span></p>`;
}

/** Money out and in of all: `2,747.41 out, 12,275.00 in`. */
export function saySum(
  reader: Reader,
  taken: readonly Pick<RuleOutcome, 'amountMinor' | 'inMinor'>[],
): string {
  const inMinor = taken.reduce((all, each) => all + each.inMinor, 0);
  const outMinor = taken.reduce((all, each) => all + each.amountMinor, -inMinor);
  return reader.outAndIn(outMinor, -inMinor);
}
