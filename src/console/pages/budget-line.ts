/** One budget line: its code, name, category and account codes; and a whole table of lines. */

import { monthsBetween } from '../../core/calendar.ts';
import type { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { type Budget, LINE_KINDS, lineKey, nameLine, signBudget } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { type ProjectPlan, readProject, saveProject } from '../../operations/project-plans.ts';
import { nextTurn } from '../../operations/turns.ts';
import { findFixing, findObstacle, type LinePlan } from '../../store/budget-lines.ts';
import { typed } from '../components/elements.ts';
import {
  askOnce,
  type Field,
  fieldOf,
  hiddenField,
  isFaulty,
  mainActions,
  oneAmong,
  orNull,
  postForm,
  readFields,
  required,
  type Sent,
  UNSENT,
  unsaved,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { linkAllocated } from '../components/line-fields.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { amountsOf, faultsOfSaving } from './project-drafts.ts';
import { planOf } from './project-edit.ts';

const NEW = 'new';

const FIELDS = {
  name: { label: 'Name', read: required('Enter a name.') },
  code: {
    label: 'Code',
    hint: 'Optional. Two lines of a project cannot have the same code.',
    read: orNull,
  },
  category: { label: 'Category', read: orNull },
  kind: {
    label: 'Kind of line',
    type: 'radio',
    options: [
      ['expense', 'Expense', 'Money out counts upwards. Budget, spent, left.'],
      ['income', 'Income', 'Money in counts upwards. Expected, received, to come.'],
    ],
    read: oneAmong(LINE_KINDS, 'Choose the kind of line.'),
  },
  accountCodes: {
    label: 'Account codes',
    hint: `Separate codes with commas. Transactions with these codes, on the days of the project,
can be allocated to this line in one step.`,
    read: (text: string) => {
      const codes = text.split(/[,;\n]/).map((each) => each.trim());
      return [...new Set(codes.filter((each) => each !== ''))];
    },
  },
} as const satisfies Readonly<Record<string, Field>>;

/** What is budgeted in a new line, by month or in total: the grid has the amounts of the others. */
function amountField(reader: Reader, { project }: ProjectPlan) {
  const isTotal = project.budgetMode === 'total';
  const name = isTotal ? 'Budget' : 'Budget for each month';
  return {
    label: `${name}, ${reader.currency.code}`,
    hint: 'Optional. You can change it in the table of amounts.',
    read: (text: string): Budget => {
      const isNone = text.trim() === '';
      const minor = isNone ? 0 : reader.readMoney(text);
      if (isTotal) return { mode: 'total', totalMinor: minor };
      const months = isNone ? [] : monthsBetween(project.startDate, project.endDate);
      return { mode: 'monthly', byMonth: new Map(months.map((month) => [month, minor])) };
    },
  };
}

/** Where its form and Cancel lead: the page of account codes names a code to claim. */
function wayOn(visit: Visit): string {
  return visit.asked('claim') === undefined
    ? `${PATHS.projects}/${visit.param('id')}/edit`
    : PATHS.byCode;
}

/** `POST /projects/{id}/lines/{line}`: saves the line, or removes it. */
export async function takeLine(visit: Visit): Promise<Reply> {
  const plan = planOf(visit);
  const line = lineOf(visit, plan);
  const isRemoval = visit.field('do') === 'remove' && line !== undefined;
  const fields = { ...FIELDS, amount: amountField(visit.reader, plan) };
  const { values, ...sent } = readFields(fields, visit.form);
  const seenMs = Number(visit.field('seen'));
  if (isRemoval && linkAllocated(visit, visit.param('id'), line) !== undefined) {
    const name = 'Nothing was saved. Someone has allocated to the line since you opened the page.';
    return showLine(visit, plan, { faults: { name } }, { seenMs });
  }
  const { project, lines } = plan;
  if (!isRemoval) {
    const [code, name] = [orNull(visit.field('code')), visit.field('name')];
    const isDouble = lines.some((each) => {
      return each !== line && lineKey(each) === lineKey({ code, name });
    });
    const what = code === null ? 'name' : 'code';
    const double = isDouble ? { [what]: `Another line of the project has this ${what}.` } : {};
    const faults = { ...double, ...sent.faults };
    if (isFaulty(faults)) return showLine(visit, plan, { ...sent, faults }, { seenMs });
  }
  const refused = (failure: Failure) => {
    const now = planOf(visit);
    const shown = isRemoval ? UNSENT : sent;
    if (now.project.updatedAtMs !== seenMs) {
      return showLine(visit, now, { ...shown, faults: { name: CHANGED } }, { isChanged: true });
    }
    return showLine(visit, now, { ...shown, faults: faultsOfSaving(failure, fields) }, { seenMs });
  };
  return visit.runOr(refused, async () => {
    const write = ({ amount: budget, ...texts }: NonNullable<typeof values>) =>
      line === undefined
        ? [...lines, { ...texts, budget }]
        : lines.map((each) => (each === line ? asExpected({ ...line, ...texts }) : each));
    const isKept = !isRemoval && values !== undefined;
    const budgetLines = isKept ? write(values) : lines.filter((each) => each !== line);
    const input = { ...project, budgetLines, seenUpdatedAtMs: seenMs };
    const read = readProject(visit.access, input);
    await nextTurn();
    saveProject(visit.access, read, visit.actor);
    const name = typed(isRemoval ? line.name : visit.field('name'));
    const another = listPath(pathOf(visit, undefined), {}, { kind: visit.field('kind') });
    const to = visit.field('do') === 'another' ? another : wayOn(visit);
    return { to, message: html`${name} is ${isRemoval ? 'removed' : 'saved'}.` };
  });
}

/** What was budgeted as negative spending is expected of a line for income. */
function asExpected(line: LinePlan): LinePlan {
  const isTurned = line.kind === 'income' && amountsOf(line).every(([, minor]) => minor <= 0);
  return isTurned ? { ...line, budget: signBudget(line.budget, 'income') } : line;
}

const CHANGED =
  'Someone else saved the project while you were editing. Your change was not saved. Below are ' +
  'your values and the saved ones. Save again to replace the saved ones.';

/** The line that the address names; undefined for a new one. Refuses with `not_found`. */
function lineOf(visit: Visit, { lines }: ProjectPlan) {
  const id = visit.param('line');
  if (id === NEW) return undefined;
  const line = lines.find((each) => formatId('bln', each.id) === id);
  if (line === undefined) throw missing('budget line', id);
  return line;
}

/**
 * `GET /projects/{id}/lines/{line}`; `new` for another line. `seenMs` is the stamp with which the
 * form was shown first; `isChanged`: someone else has saved the project since, so the form also
 * shows the saved values.
 */
export function showLine(
  visit: Visit,
  plan = planOf(visit),
  sent: Sent = UNSENT,
  { isChanged = false, seenMs = plan.project.updatedAtMs } = {},
): Reply {
  const { faults } = sent;
  const { project } = plan;
  const line = lineOf(visit, plan);
  const id = formatId('prj', project.id);
  const path = pathOf(visit, line);
  const title = line === undefined ? 'New budget line' : 'Edit budget line';
  const seen = { seen: seenMs };
  const saved = {
    code: line?.code ?? '',
    name: line?.name ?? '',
    category: line?.category ?? '',
    kind: line?.kind ?? 'expense',
    accountCodes: (line?.accountCodes ?? []).join(', '),
  };
  const claimed = [saved.accountCodes, visit.asked('claim')].filter(Boolean).join(', ');
  const fixed = line && findFixing(visit.access, line, 'change kind');
  const fields = Object.entries<Field>(FIELDS).map(([name, field]) => {
    if (name === 'kind' && fixed !== undefined) {
      return html`${hiddenField(name, saved.kind)}<p class="soft">${fixed}</p>\n`;
    }
    const now = saved[name as keyof typeof FIELDS];
    const isOther = isChanged && now !== (sent.given?.[name]?.[0] ?? now);
    const hint = html`${field.hint} <b>Saved: ${typed(now || 'none')}</b>`;
    const isKind = line === undefined && name === 'kind';
    const given = isKind ? (visit.asked('kind') ?? now) : now;
    const value = name === 'accountCodes' ? claimed : given;
    return fieldOf(name, { ...field, value, ...(isOther && { hint }) }, sent);
  });
  const target = listPath(path, {}, { claim: visit.asked('claim') });
  const isNew = line === undefined && visit.asked('claim') === undefined;
  const amount = fieldOf('amount', amountField(visit.reader, plan), sent);
  const more = html`${amount}<p class="actions"><button
class="button primary">Save line</button> <button class="button" name="do" value="another">Save and
add another</button> <a class="button" href="${wayOn(visit)}">Cancel</a></p>`;
  const inputs = html`${fields}${isNew ? more : mainActions('Save line', wayOn(visit))}`;
  const marks = html` class="narrow"${unsaved(isFaulty(faults))}`;
  const content = html`${postForm(target, seen, inputs, marks)}
${line !== undefined && removalPart(visit, plan, line, { ...seen, do: 'remove' })}`;
  return showPage(visit, {
    title,
    place: PATHS.projects,
    above: [[`${PATHS.projects}/${id}/edit`, typed(project.name)]],
    content,
    faults,
    status: isChanged ? 409 : undefined,
  });
}

/** The page of a line; undefined: of a new one. */
function pathOf(visit: Visit, line: LinePlan | undefined): string {
  const id = line === undefined ? NEW : formatId('bln', line.id);
  return `${PATHS.projects}/${visit.param('id')}/lines/${id}`;
}

/** The form that removes a line, or what is in its way. */
function removalPart(
  visit: Visit,
  { project }: ProjectPlan,
  line: LinePlan,
  unseen: Parameters<typeof askOnce>[2],
): Html {
  const kept = findObstacle(visit.access, project.id, line);
  if (kept !== undefined) return html`<section><p>${kept}</p></section>`;
  const allocated = linkAllocated(visit, visit.param('id'), line);
  if (allocated !== undefined) {
    return html`<section><p>The line cannot be removed while it has allocations: ${allocated}.
Allocate them to another line first.</p></section>`;
  }
  const question = html`${typed(nameLine(line))} is removed with its budget.`;
  const words = { open: 'Remove the line', on: line.name, question, button: 'Remove' };
  return html`<section>${askOnce(words, pathOf(visit, line), unseen)}</section>`;
}
