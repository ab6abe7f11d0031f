/** Editing a project: its details, and the amounts of its lines in a grid; archiving it. */

import { count } from '../../core/counts.ts';
import type { Failure } from '../../core/failures.ts';
import { formatId, readId } from '../../core/ids.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import {
  getProjectPlan,
  type ProjectPlan,
  readProject,
  saveProject,
} from '../../operations/project-plans.ts';
import { archiveProject } from '../../operations/projects.ts';
import { listBelow } from '../../operations/roll-up.ts';
import { nextTurn } from '../../operations/turns.ts';
import type { ProjectToSave } from '../../store/projects.ts';
import { sectionPart, typed } from '../components/elements.ts';
import { type FormFaults, isFaulty, mainActions, postForm, unsaved } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { digestOf } from '../session/outcomes.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import {
  detailFields,
  faultsOfSaving,
  type LostMonths,
  readPlanForm,
  readProjectDetails,
  type Texts,
  textsOfPlan,
} from './project-drafts.ts';
import { grid } from './project-grid.ts';

/** Where Save leads that adds a line. */
const NEW_LINE = 'lines/new';
const NEW_INCOME = `${NEW_LINE}?kind=income`;

/** `POST /projects/new`: makes a project without lines. */
export async function takeNewProject(visit: Visit): Promise<Reply> {
  const texts = textsOf(visit);
  const { details, faults } = readProjectDetails(texts);
  if (details === undefined) return showNewProject(visit, texts, faults);
  const refused = (failure: Failure) => showNewProject(visit, texts, faultsOfSaving(failure));
  return visit.runOr(refused, () => {
    const project = readProject(visit.access, { ...details, description: null, budgetLines: [] });
    const saved = saveProject(visit.access, project, visit.actor);
    const message = html`${typed(details.name)} was created. Now add its budget lines.`;
    return { to: `${PATHS.projects}/${formatId('prj', saved.id)}/edit`, message };
  });
}

export async function takeEdit(visit: Visit): Promise<Reply> {
  const { form, reader } = visit;
  const plan = planOf(visit);
  // Someone else may have added a line, which the form does not have.
  const texts = textsOf(visit, textsOfPlan(plan, reader));
  const { input, faults: wrong, lost } = await readPlanForm(plan, texts, reader);
  const faults = { ...wrong, ...faultsOfParent(visit, plan, texts('parent')) };
  const seenMs = Number(form.value('seen') ?? 0);
  const next = form.values('next').at(-1) ?? '';
  if (input === undefined || isFaulty(faults)) {
    return showEdit(visit, plan, { texts, faults, seenMs });
  }
  const isSeen = plan.project.updatedAtMs === seenMs;
  if (lost.length > 0 && isSeen && form.value('agree') !== digestOfLost(lost)) {
    const look = { texts, faults: faultsOfLost(input, lost), seenMs, lost, next };
    return showEdit(visit, plan, look);
  }
  const refused = (failure: Failure) => {
    const now = planOf(visit);
    const hasMoved = failure.code === 'conflict' && now.project.updatedAtMs !== seenMs;
    const view = hasMoved
      ? { texts, faults: { name: CHANGED }, isChanged: true }
      : { texts, faults: faultsOfSaving(failure), seenMs };
    return showEdit(visit, now, view);
  };
  return visit.runOr(refused, async () => {
    const project = readProject(visit.access, { ...input, seenUpdatedAtMs: seenMs });
    await nextTurn();
    const { change } = saveProject(visit.access, { ...project, known: plan }, visit.actor);
    const undo = change === 'updated' ? [planOf(visit).project.updatedAtMs] : [];
    return { to: placeAfter(plan, next), message: html`${typed(input.name)} is saved.`, undo };
  });
}

const CHANGED =
  'Someone else saved this project while you were editing. Your change was not saved. Below are ' +
  'your values, and under each amount the saved one. Save again to replace the saved ones.';

/** Where saving leads: to a page for which the grid is left, or to the report. */
function placeAfter({ project, lines }: ProjectPlan, next: string): string {
  const to = `${PATHS.projects}/${formatId('prj', project.id)}`;
  const known = lines.map(({ id }) => `lines/${formatId('bln', id)}`);
  const places = ['paste', NEW_LINE, NEW_INCOME, ...known];
  return places.includes(next) ? `${to}/${next}` : to;
}

/** The project that the address names. Refuses with `not_found`. */
export function planOf(visit: Visit): ProjectPlan {
  return getProjectPlan(visit.access, visit.param('id'));
}

/** `POST /projects/{id}/archive`: archives a project, or brings it back. */
export async function takeArchive(visit: Visit): Promise<Reply> {
  const id = visit.param('id');
  const isArchived = visit.field('do') !== 'bring-back';
  const refused = (_: Failure, status: number) => {
    const plan = planOf(visit);
    const message =
      `Someone else saved "${plan.project.name}" while you were editing. Your change was not ` +
      'saved; below is the current version.';
    const texts = textsOfPlan(plan, visit.reader);
    return showEdit(visit, plan, { texts, faults: { name: message }, isStored: true }, status);
  };
  return visit.runOr(refused, () => {
    const archiving = { id, isArchived, seenUpdatedAtMs: Number(visit.field('seen')) };
    const { name } = archiveProject(visit.access, archiving, visit.actor);
    const message = isArchived
      ? html`${typed(name)} is archived. Its allocations and its report stay.`
      : html`${typed(name)} was restored. You can allocate to its lines again.`;
    return { to: isArchived ? PATHS.projects : `${PATHS.projects}/${id}`, message };
  });
}

/** A project cannot be part of one that is part of it. */
function faultsOfParent({ access }: Visit, { project }: ProjectPlan, parent: string): FormFaults {
  const ids = [project, ...listBelow(access, project)].map(({ id }) => id);
  const isBelow = ids.includes(readId('prj', parent) ?? 0);
  return isBelow ? { parent: 'That project is itself a part of this one.' } : {};
}

function textsOf({ form }: Visit, others: Texts = () => ''): Texts {
  return (name) => form.value(name) ?? others(name);
}

export function showNewProject(
  visit: Visit,
  texts: Texts = () => '',
  faults: FormFaults = {},
): Reply {
  const fields = detailFields(visit, texts, faults);
  const inputs = html`${fields}${mainActions('Make the project', PATHS.projects)}`;
  const content = postForm(`${PATHS.projects}/new`, {}, inputs, unsaved(isFaulty(faults)));
  const above = [[PATHS.projects, 'Projects']] as const;
  return showPage(visit, { title: 'New project', place: PATHS.projects, above, content, faults });
}

/** What the page shows. */
interface EditView {
  readonly texts: Texts;
  /** Whether these are the texts of the stored project. */
  readonly isStored?: boolean;
  readonly faults?: FormFaults;
  /** The stamp with which the form was shown first, so that no change since is overwritten. */
  readonly seenMs?: number;
  /** What saving would lose: then it asks. */
  readonly lost?: readonly LostMonths[];
  /** Where saving was to lead. */
  readonly next?: string;
  /** Whether someone else has saved the project: then the form also shows the saved values. */
  readonly isChanged?: boolean;
}

export async function showEdit(
  visit: Visit,
  plan = planOf(visit),
  view: EditView = { texts: textsOfPlan(plan, visit.reader), isStored: true },
  status?: number,
): Promise<Reply> {
  const { reader } = visit;
  const { texts, faults = {}, isChanged = false, isStored = false, lost = [] } = view;
  const { project } = plan;
  const { seenMs = project.updatedAtMs } = view;
  await nextTurn();
  const id = formatId('prj', project.id);
  const path = `${PATHS.projects}/${id}`;
  const stored = isChanged ? textsOfPlan(plan, reader) : undefined;
  const given = { texts, faults, stored, isStored };
  const none = html`<p class="soft">There are no lines yet. Add them one by one, or paste a
table.</p>`;
  const lines = plan.lines.length === 0 ? none : await grid(reader, plan, given);
  const aside =
    plan.lines.length > 0 &&
    html`<p class="soft">To save and open a line, click its name.<span data-script hidden> Move
with Enter and the arrow keys. You can paste a block from a spreadsheet into any cell.</span></p>`;
  const inputs = html`<button class="hidden" tabindex="-1" aria-hidden="true">Save</button>
${detailFields(visit, texts, faults, project)}${lost.length > 0 && lostPart(lost, reader)}
${sectionPart(
  'grid',
  'Budget lines',
  html`${lines}
${GRID_ACTIONS}`,
  { aside },
)}
${mainActions('Save project', path)}`;
  const unseen = { seen: seenMs, next: view.next };
  const content = html`${postForm(`${path}/edit`, unseen, inputs, unsaved(!isStored))}
${archiveForm(project)}`;
  return showPage(visit, {
    title: `Edit ${project.name}`,
    heading: 'Edit project',
    place: PATHS.projects,
    above: [[path, typed(project.name)]],
    content,
    keys: plan.lines.length === 0 ? undefined : 'grid',
    faults,
    status: isChanged ? 409 : status,
  });
}

const GRID_ACTIONS = html`<p class="actions"><button class="button" name="next"
value="${NEW_INCOME}">Save and add an income line</button> <button class="button" name="next"
value="${NEW_LINE}">Save and add an expense line</button> <button class="button" name="next"
value="paste">Save and paste a whole table</button></p>`;

/** Archives a project, or brings it back. */
export function archiveForm({ id, archivedAtMs, updatedAtMs }: ProjectPlan['project']): Html {
  const [act, button, hint] =
    archivedAtMs === null
      ? [
          'archive',
          'Archive the project',
          'You can no longer allocate to its lines. Nothing is removed.',
        ]
      : ['bring-back', 'Bring it back', 'You can allocate to its lines again.'];
  const content = html`<button class="button">${button}</button> <span class="hint">${hint}</span>`;
  const target = `${PATHS.projects}/${formatId('prj', id)}/archive`;
  return postForm(target, { seen: updatedAtMs, do: act }, content, html` class="archive"`);
}

/** Lines and months that are named one by one. */
const NAMED_LINES = 50;
const NAMED_MONTHS = 4;

/** What agrees to losing these amounts, and no others. */
function digestOfLost(lost: readonly LostMonths[]): string {
  return digestOf(lost.map(({ line, months }) => [line.id, ...months]));
}

/** What saving would lose, at the field that asks for it. */
function faultsOfLost(input: ProjectToSave, lost: readonly LostMonths[]): FormFaults {
  const lines = count(lost.length, 'line');
  if (input.budgetMode === 'total') {
    return { mode: `The months of ${lines} would be lost. Check them below before you save.` };
  }
  const isBefore = lost.some(({ months }) => months.some(([month]) => month < input.startDate));
  const field = isBefore ? 'startDate' : 'endDate';
  return { [field]: `Amounts of ${lines} are outside these days. Check them below.` };
}

/** What saving would do to the months of each line, and the button that agrees to it. */
function lostPart(lost: readonly LostMonths[], reader: Reader): Html {
  const money = (minor: number) => reader.money(minor);
  const isRemoval = lost.every(({ months }) => months.every(([, , to]) => to === 0));
  const say = ({ months }: LostMonths) => {
    if (isRemoval) {
      const sum = months.reduce((minor, [, from]) => minor + from, 0);
      return `${money(sum)} in ${reader.months(months.map(([month]) => month))}`;
    }
    const named = months.slice(0, NAMED_MONTHS).map(([month, from, to]) => {
      return `${reader.months([month])} ${money(from)} → ${money(to)}`;
    });
    const more = months.length - named.length;
    return `${named.join('; ')}${more > 0 ? `; and ${reader.count(more, 'more month')}` : ''}`;
  };
  const rest = lost.length - NAMED_LINES;
  const [title, button] = isRemoval
    ? ['Amounts that would be removed', 'Save, and remove these amounts']
    : ['Months that would change', 'Save, and change these months'];
  return html`<section class="lost" aria-labelledby="lost"><h2 id="lost">${title}</h2>
<ul class="effects">
${lost
  .slice(0, NAMED_LINES)
  .map((each) => html`<li><b>${typed(nameLine(each.line))}</b>: ${say(each)}</li>\n`)}${
  rest > 0 && html`<li>and ${reader.count(rest, 'more line')}</li>\n`
}</ul>
<p>Nothing is saved yet. To keep them, change the field back.</p>
<p class="actions"><button class="button" name="agree" value="${digestOfLost(
    lost,
  )}">${button}</button></p></section>
`;
}
