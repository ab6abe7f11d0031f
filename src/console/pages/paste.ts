/** A whole table of budget lines, copied from a spreadsheet. */

import { Failure } from '../../core/failures.ts';
import { html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import {
  type BudgetLineInput,
  type ProjectPlan,
  saveProject,
} from '../../operations/project-plans.ts';
import { actorOf, type Visit } from '../desk.ts';
import { type Faults, faultSummary, isFaulty, titleOf } from '../forms.ts';
import { framedPage } from '../layout.ts';
import { markField } from '../outcomes.ts';
import { typed } from '../parts.ts';
import { amountsOf, columnsOf, inputOf, type Style } from '../project-drafts.ts';
import { faultsOfSaving, pathId, planOf, styleOf } from './project-edit.ts';

const PLACE = '/projects';

/** The columns before the amounts. */
const TEXTS = ['Code', 'Line', 'Category', 'Account codes'] as const;

/** `GET /projects/{id}/paste`: the field has the table as it is. */
export function showPaste(visit: Visit): Reply {
  const plan = planOf(visit);
  return pasteReply(visit, plan, writeTable(plan, styleOf(visit)));
}

/** `POST /projects/{id}/paste`: the lines of the project become those of the table. */
export async function takePaste(visit: Visit): Promise<Reply> {
  const { desk, request, session } = visit;
  const form = await request.readForm();
  const plan = planOf(visit);
  const text = form.value('table') ?? '';
  try {
    const budgetLines = readTable(text, plan, styleOf(visit));
    return await desk.outcomes.run(visit, form, () => {
      const seenUpdatedAtMs = Number(form.value('seen') ?? 0);
      const input = { ...inputOf(plan), budgetLines, seenUpdatedAtMs };
      saveProject(session.access, input, actorOf(request, session.userId));
      const count = budgetLines.length;
      const message = html`${count} ${count === 1 ? 'line is' : 'lines are'} saved.`;
      return { to: `${PLACE}/${pathId(visit)}/edit`, message };
    });
  } catch (error) {
    const { name = '' } = faultsOfSaving(error);
    return pasteReply(visit, planOf(visit), text, { table: name });
  }
}

function writeTable(plan: ProjectPlan, { reader, currency }: Style): string {
  const columns = columnsOf(plan).map(({ key }) => key);
  const rows = plan.lines.map((line) => {
    const amounts = new Map(amountsOf(line));
    const { code, name, category, accountCodes } = line;
    const cells = columns.map((column) => {
      const minor = amounts.get(column);
      return minor === undefined ? '' : reader.field(minor, currency);
    });
    return [code ?? '', name, category ?? '', accountCodes.join(', '), ...cells];
  });
  return [[...TEXTS, ...columns], ...rows].map((cells) => cells.join('\t')).join('\n');
}

/** The lines of a table with tabs. Refuses with `invalid_input`, and names the row. */
function readTable(
  text: string,
  plan: ProjectPlan,
  { reader, currency }: Style,
): BudgetLineInput[] {
  const [head = '', ...rest] = text.split(/\r?\n/);
  const columns = columnsOf(plan).map(({ key }) => key);
  const names = head.split('\t').map((name) => name.trim());
  const expected: readonly string[] = [...TEXTS, ...columns];
  const unknown = names.find((name) => !expected.includes(name));
  const list = `${TEXTS.join(', ')} and ${columns[0]} to ${columns.at(-1)}`;
  if (!names.includes('Line')) {
    throw new Failure('invalid_input', `The first row names the columns: ${list}.`);
  }
  if (unknown !== undefined) {
    const message = `There is no column "${unknown}". The columns are ${list}.`;
    throw new Failure('invalid_input', message);
  }
  return rest.flatMap((row, at): BudgetLineInput[] => {
    if (row.trim() === '') return [];
    const cells = row.split('\t');
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
    const amounts: Record<string, number> = {};
    for (const column of columns) {
      const typedAmount = cell(column);
      if (typedAmount === '') continue;
      try {
        amounts[column] = reader.readMoney(typedAmount, currency);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new Failure('invalid_input', `Row ${at + 2}, ${column}: ${error.message}`);
      }
    }
    const isTotal = plan.project.budgetMode === 'total';
    const codes = cell('Account codes')
      .split(',')
      .map((each) => each.trim());
    return [
      {
        code: cell('Code') === '' ? null : cell('Code'),
        name: cell('Line'),
        category: cell('Category') === '' ? null : cell('Category'),
        accountCodes: codes.filter((each) => each !== ''),
        budgetMinor: isTotal ? (amounts['total'] ?? 0) : amounts,
      },
    ];
  });
}

function pasteReply(visit: Visit, plan: ProjectPlan, text: string, faults: Faults = {}): Reply {
  const { project } = plan;
  const id = pathId(visit);
  const wrong = faults['table'];
  const content = html`${faultSummary(faults)}
<p class="crumb"><a href="${PLACE}/${id}/edit">${typed(project.name)}</a></p>
<div class="head"><div><h1>Paste a whole table</h1>
<p>Copy the field into a spreadsheet, change it there, and paste it back. The lines of the project
become those of the table; a line that has allocations cannot be left out.</p></div></div>
<form method="post" action="${PLACE}/${id}/paste" novalidate>${markField()}<input type="hidden"
name="seen" value="${project.updatedAtMs}">
<div class="${wrong === undefined ? 'field' : 'field wrong'}"><label for="table">Table</label>
<span class="hint" id="table-hint">A row for each line, with tabs between the columns, as
spreadsheets copy them.</span>${
    wrong !== undefined && html`<span class="fault" id="table-fault">${wrong}</span>`
  }
<textarea id="table" name="table" rows="18" wrap="off" spellcheck="false"
aria-describedby="table-hint${wrong !== undefined && ' table-fault'}">
${text}</textarea></div>
<p class="actions"><button class="button primary">Save the table</button> <a class="button"
href="${PLACE}/${id}/edit">Cancel</a></p>
</form>`;
  const title = titleOf('Paste a whole table', faults);
  return pageReply(framedPage({ title, content }, visit, PLACE), isFaulty(faults) ? 422 : 200);
}
