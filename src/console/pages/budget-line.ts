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
import { type Faults, faultsOf, fieldOf, isFaulty } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { linkAllocated, nameLine } from '../components/line-fields.ts';
import { addressOf, BY_CODE } from '../components/transaction-filters.ts';
import { markField } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import { inputOf } from './project-drafts.ts';
import { faultsOfSaving, pathId, planOf } from './project-edit.ts';

const PLACE = '/projects';
const NEW = 'new';

/** What was typed. */
interface LineTexts {
  readonly code: string;
  readonly name: string;
  readonly category: string;
  readonly accountCodes: string;
}

/** `GET /projects/{id}/lines/{line}`; `new` for another line. */
export function showLine(visit: Visit): Reply {
  const plan = planOf(visit);
  const line = lineOf(visit, plan);
  const accountCodes = [...(line?.accountCodes ?? []), claimOf(visit) ?? []].flat().join(', ');
  return lineReply(visit, plan, { given: { ...textsOfLine(line), accountCodes } });
}

/** A code that this line is to claim, besides its own, for the page of account codes. */
function claimOf({ request }: Visit): string | undefined {
  return request.query.find(([name]) => name === 'claim')?.[1];
}

/** Where its form and Cancel lead. */
function wayOn(visit: Visit): string {
  return claimOf(visit) === undefined ? `${PLACE}/${pathId(visit)}/edit` : BY_CODE;
}

/** `POST /projects/{id}/lines/{line}`: saves the line, or removes it. */
export async function takeLine(visit: Visit): Promise<Reply> {
  const { form } = visit;
  const plan = planOf(visit);
  const line = lineOf(visit, plan);
  const read = (name: string) => form.value(name) ?? '';
  const isRemoval = read('do') === 'remove' && line !== undefined;
  const given = isRemoval
    ? textsOfLine(line)
    : {
        code: read('code'),
        name: read('name'),
        category: read('category'),
        accountCodes: read('accountCodes'),
      };
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
  const seenMs = Number(read('seen'));
  const keyOf = ({ code = null, name }: BudgetLineInput) => lineKey({ code, name });
  const own = keyOf(toInput(given));
  const isDouble = others.some((each) => keyOf(each) === own);
  const taken = 'Another line of the project has this code.';
  const wrong = faultsOf({
    name:
      given.name.trim() === ''
        ? 'Enter a name.'
        : isDouble && given.code.trim() === ''
          ? taken
          : undefined,
    code: isDouble && given.code.trim() !== '' ? taken : undefined,
  });
  if (!isRemoval && isFaulty(wrong)) {
    return lineReply(visit, plan, { given, faults: wrong, seenMs });
  }
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

const CODE_HINT = 'Optional. Two lines of a project cannot have the same code.';
const CODES_HINT =
  'Separate codes with commas. Transactions with these codes, on the days of the project, can be ' +
  'allocated to this line in one step.';
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
  const field = (name: keyof LineTexts, label: string, hint?: string) => {
    const isOther = isChanged && saved[name] !== given[name];
    const now = isOther && html` <b>Saved: ${typed(saved[name] === '' ? 'none' : saved[name])}</b>`;
    const about = hint === undefined && !isOther ? {} : { hint: html`${hint}${now}` };
    return fieldOf(name, { label, value: given[name], ...about }, { faults });
  };
  const content = html`<form class="narrow" method="post"
action="${addressOf(path, {}, { claim: claimOf(visit) })}"
novalidate data-unsaved="${isFaulty(faults) ? 'yes' : 'no'}">${hidden}
${field('name', 'Name')}${field('code', 'Code', CODE_HINT)}${field('category', 'Category')}${field(
  'accountCodes',
  'Account codes',
  CODES_HINT,
)}<p class="actions"><button class="button primary">Save line</button> <a class="button"
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
