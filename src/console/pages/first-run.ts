/** The first page of an organisation that has nothing to do yet: steps that tick themselves off. */

import { formatId } from '../../core/ids.ts';
import { keyState } from '../../core/keys.ts';
import type { Permission } from '../../core/users.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { listBudgetLines } from '../../operations/budget-lines.ts';
import { listProjects } from '../../operations/projects.ts';
import { getRolledUp } from '../../operations/roll-up.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { listKeys } from '../../store/keys.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { typed } from '../components/elements.ts';
import type { Visit } from '../session/visit.ts';

/** What there is of what a report needs. */
interface Beginnings {
  /** A project; undefined if there is none. */
  readonly project: ProjectRecord | undefined;
  /** Whether a project has budget lines. */
  readonly hasLines: boolean;
  readonly hasTransactions: boolean;
}

/** What the organisation has. */
function findBeginnings({ session: { access } }: Visit): Beginnings {
  const [line] = listBudgetLines(access, { limit: 1 }).items;
  const { items } = listProjects(access, { limit: 100 });
  return {
    project: items.find(({ id }) => line === undefined || id === line.projectId) ?? items[0],
    hasLines: line !== undefined,
    hasTransactions: finish(listTransactions(access, { limit: 1 })).items.length > 0,
  };
}

/** A step, and what it takes to do it. */
interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly about: HtmlValue;
  readonly may: Permission;
  readonly path: string;
  readonly button: string;
}

/**
 * The steps, whichever are done; undefined once there is something to report. The first one that is
 * not done has the primary button.
 */
export function firstRun(visit: Visit): Html | undefined {
  const { name, currency } = visit.access.organisation;
  const beginnings = findBeginnings(visit);
  const { hasLines, hasTransactions } = beginnings;
  if (hasLines && hasTransactions) return undefined;
  const hasKey = listKeys(visit.access).some((key) => {
    return keyState(key, visit.nowMs) === 'live' && key.scopes.includes('transactions:write');
  });
  const steps: readonly Step[] = [
    projectStep(visit, beginnings),
    {
      title: 'Make a key for the finance system',
      isDone: hasKey,
      about: hasKey
        ? 'A program can send payments.'
        : 'The program that sends payments includes the key in each request.',
      may: 'keys',
      path: '/settings/keys/new',
      button: 'Make a key',
    },
    {
      title: 'Send the first transactions',
      isDone: hasTransactions,
      about: hasTransactions
        ? 'They are listed under Transactions.'
        : 'A new key comes with a command to try. No program yet? Import a CSV file from the bank.',
      may: 'import',
      path: '/import',
      button: 'Import a CSV file',
    },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  const items = steps.map((step) => {
    const { title, isDone, about, may, path, button } = step;
    const look = step === next ? 'button primary' : 'button';
    const action = visit.may(may)
      ? html`<a class="${look}" href="${path}">${button}</a>`
      : html`<p>Ask an admin or an owner to do this.</p>`;
    return html`<li${isDone && html` class="done"`}><h2>${title}${
      isDone && html`<span class="hidden">: done</span>`
    }</h2>
<p>${about}</p>${!isDone && action}</li>
`;
  });
  return html`<div class="head"><div><h1>Three steps to the first report</h1>
<p>${typed(name)}, in ${currency.code}. Each step can be done later, and in any order.</p>
</div></div>
<ol class="steps">
${items}</ol>
<p class="soft small">Then this page shows what waits for you: what to allocate, what has changed,
and how much of each budget is used.</p>`;
}

function projectStep(visit: Visit, { project, hasLines }: Beginnings): Step {
  const step = { title: 'Make a project with budget lines', may: 'projects' } as const;
  if (project === undefined) {
    const about =
      'A budget line for each purpose, such as rent, with its budget by month or in total.';
    return { ...step, isDone: false, about, path: '/projects/new', button: 'Make a project' };
  }
  const path = `/projects/${formatId('prj', project.id)}/edit`;
  if (!hasLines) {
    const about = html`${typed(project.name)} has no budget lines yet.`;
    return { ...step, isDone: false, about, path, button: 'Add budget lines' };
  }
  const { report } = getRolledUp(visit.access, formatId('prj', project.id));
  const lines = visit.reader.count(report.rows.length, 'line');
  const budget = visit.reader.money(report.totals.total.budgeted);
  const canEdit = visit.may('projects');
  const about = html`${typed(project.name)}: ${lines}, ${budget}.${
    canEdit && html` <a href="${path}">Change it</a>`
  }`;
  return { ...step, isDone: true, about, path, button: 'Change it' };
}
