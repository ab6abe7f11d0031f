/** One budget line: its code, name, category and account codes; and a whole table of lines. */

import type { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { lineKey } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import {
  type BudgetLineInput,
  type LinePlan,
  type ProjectPlan,
  saveProject,
} from '../../operations/project-plans.ts';
import { askOnce, typed } from '../components/elements.ts';
import {
  type Faults,
  type Field,
  fieldOf,
  isFaulty,
  readFields,
  required,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { linkAllocated, nameLine } from '../components/line-fields.ts';
import { addressOf, BY_CODE } from '../components/transaction-filters.ts';
import { markField } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import { inputOf } from './project-drafts.ts';
import { faultsOfSaving, pathId, planOf } from './project-edit.ts';

const PLACE = '/projects';
const NEW = 'new';

const FIELDS = {
  name: { label: 'Name', read: required('Enter a name.') },
  code: { label: 'Code', hint: 'Optional. Two lines of a project cannot have the same code.' },
  category: { label: 'Category' },
  accountCodes: {
    label: 'Account codes',
    hint: `Separate codes with commas. Transactions with these codes, on the days of the project,
can be allocated to this line in one step.`,
  },
} as const satisfies Readonly<Record<string, Field>>;

/** What was typed. */
type LineTexts = Readonly<Record<keyof typeof FIELDS, string>>;

/** `GET /projects/{id}/lines/{line}`; `new` for another line. */
export function showLine(visit: Visit): Reply {
  const plan = planOf(visit);
  const line = lineOf(visit, plan);
  const accountCodes = [...(line?.accountCodes ?? []), claimOf(visit) ?? []].flat().join(', ');
  return lineReply(visit, plan, { given: { ...textsOfLine(line), accountCodes } });
}

/** A code that this line is to claim, besides its own, for the page of account codes. */
function claimOf(visit: Visit): string | undefined {
  return visit.asked('claim');
}

/** Where its form and Cancel lead. */
function wayOn(visit: Visit): string {
  return claimOf(visit) === undefined ? `${PLACE}/${pathId(visit)}/edit` : BY_CODE;
}

/** `POST /projects/{id}/lines/{line}`: saves the line, or removes it. */
export async function takeLine(visit: Visit): Promise<Reply> {
  const plan = planOf(visit);
  const line = lineOf(visit, plan);
  const isRemoval = visit.field('do') === 'remove' && line !== undefined;
  const typedTexts = {
    code: visit.field('code'),
    name: visit.field('name'),
    category: visit.field('category'),
    accountCodes: visit.field('accountCodes'),
  };
  const given = isRemoval ? textsOfLine(line) : typedTexts;
  const whole = inputOf(plan);
  const id = line === undefined ? undefined : formatId('bln', line.id);
  const others = whole.budgetLines.filter(({ budgetLineId }) => budgetLineId !== id);
  const changed = whole.budgetLines.map((each) => {
    return each.budgetLineId === id ? { ...each, ...toInput(given) } : each;
  });
  const budgetLines = isRemoval
    ? others
    : line === undefined
      ? [...whole.budgetLines, toInput(given)]
      : changed;
  const seenMs = Number(visit.field('seen'));
  const keyOf = ({ code = null, name }: BudgetLineInput) => lineKey({ code, name });
  const own = keyOf(toInput(given));
  const isDouble = others.some((each) => keyOf(each) === own);
  const taken = 'Another line of the project has this code.';
  const double = isDouble ? { [given.code.trim() === '' ? 'name' : 'code']: taken } : {};
  const faults = { ...double, ...readFields(FIELDS, visit.form).faults };
  if (!isRemoval && isFaulty(faults)) return lineReply(visit, plan, { given, faults, seenMs });
  const refused = (failure: Failure) => {
    const faults = faultsOfSaving(failure);
    const now = planOf(visit);
    if (now.project.updatedAtMs === seenMs) return lineReply(visit, now, { given, faults, seenMs });
    return lineReply(visit, now, { given, faults: { name: CHANGED }, isChanged: true });
  };
  return visit.runOr(refused, () => {
    const input = { ...whole, budgetLines, seenUpdatedAtMs: seenMs };
    saveProject(visit.access, input, visit.actor);
    const name = typed(isRemoval ? line.name : given.name);
    return { to: wayOn(visit), message: html`${name} is ${isRemoval ? 'removed' : 'saved'}.` };
  });
}

const CHANGED =
  'Someone else saved the project while you were editing. Your change was not saved. Below are ' +
  'your values and the saved ones. Save again to replace the saved ones.';

function toInput({ code, name, category, accountCodes }: LineTexts): BudgetLineInput {
  const codes = accountCodes.split(/[,;\n]/).map((each) => each.trim());
  return {
    code: code.trim() === '' ? null : code,
    name,
    category: category.trim() === '' ? null : category,
    accountCodes: [...new Set(codes.filter((each) => each !== ''))],
  };
}

/** The line that the address names; undefined for a new one. Refuses with `not_found`. */
function lineOf({ request }: Visit, { lines }: ProjectPlan) {
  const id = request.params['line'] ?? '';
  if (id === NEW) return undefined;
  const line = lines.find((each) => formatId('bln', each.id) === id);
  if (line === undefined) throw missing('budget line', id);
  return line;
}

function textsOfLine(line: LinePlan | undefined): LineTexts {
  return {
    code: line?.code ?? '',
    name: line?.name ?? '',
    category: line?.category ?? '',
    accountCodes: (line?.accountCodes ?? []).join(', '),
  };
}

/** What the page shows. */
interface LineView {
  readonly given: LineTexts;
  readonly faults?: Faults;
  /** Whether someone else has saved the project: then the form also shows the saved values. */
  readonly isChanged?: boolean;
  /** The stamp with which the form was shown first. */
  readonly seenMs?: number;
}

function lineReply(visit: Visit, plan: ProjectPlan, view: LineView): Reply {
  const { given, faults = {}, isChanged = false } = view;
  const { project } = plan;
  const line = lineOf(visit, plan);
  const id = formatId('prj', project.id);
  const path = `${PLACE}/${id}/lines/${line === undefined ? NEW : formatId('bln', line.id)}`;
  const title = line === undefined ? 'New budget line' : 'Edit budget line';
  const hidden = html`${markField()}<input type="hidden" name="seen" value="${
    view.seenMs ?? project.updatedAtMs
  }">`;
  const saved = textsOfLine(line);
  const fields = Object.entries<Field>(FIELDS).map(([name, field]) => {
    const [now, value] = [saved, given].map((texts) => texts[name as keyof LineTexts]);
    const isOther = isChanged && now !== value;
    const hint = html`${field.hint} <b>Saved: ${typed(now || 'none')}</b>`;
    return fieldOf(name, { ...field, value, ...(isOther && { hint }) }, { faults });
  });
  const content = html`<form class="narrow" method="post"
action="${addressOf(path, {}, { claim: claimOf(visit) })}"
novalidate data-unsaved="${isFaulty(faults) ? 'yes' : 'no'}">${hidden}
${fields}<p class="actions"><button class="button primary">Save line</button> <a class="button"
href="${wayOn(visit)}">Cancel</a></p></form>
${line !== undefined && removalPart(visit, line, { path, hidden })}`;
  return showPage(visit, {
    title,
    place: PLACE,
    above: [`${PLACE}/${id}/edit`, typed(project.name)],
    content,
    faults,
    status: isChanged ? 409 : undefined,
  });
}

/** The form that removes a line, or the link to what is in its way. */
function removalPart(
  visit: Visit,
  line: LinePlan,
  { path, hidden }: { readonly path: string; readonly hidden: Html },
): Html {
  const allocated = linkAllocated(visit, pathId(visit), line);
  if (allocated !== undefined) {
    return html`<section><p>The line cannot be removed while it has allocations: ${allocated}.
Allocate them to another line first.</p></section>`;
  }
  const question = html`${typed(nameLine(line))} is removed with its budget.`;
  const words = { open: 'Remove the line', on: line.name, question, button: 'Remove' };
  const fields = html`${hidden}<input type="hidden" name="do" value="remove">`;
  return html`<section>${askOnce(words, path, fields)}</section>`;
}
