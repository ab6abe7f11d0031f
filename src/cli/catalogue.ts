/** Every command, in groups, in the order that a newcomer needs them; loaded when it is needed. */

import type { Command } from './command.ts';

type Load = () => Promise<{ readonly commands: readonly Command[] }>;

const workflow: Load = () => import('./commands/workflow.ts');
const backup: Load = () => import('./commands/backup.ts');
const users: Load = () => import('./commands/users.ts');

/** The file of each command by the first word of its name. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Start: {
    demo: () => import('./commands/demo.ts'),
    init: () => import('./commands/init.ts'),
    serve: () => import('./commands/serve.ts'),
    config: () => import('./commands/config.ts'),
  },
  Access: {
    users,
    'set-up-link': users,
    keys: () => import('./commands/keys.ts'),
    plan: () => import('./commands/plan.ts'),
  },
  Budgets: {
    projects: () => import('./commands/projects.ts'),
    report: () => import('./commands/report.ts'),
  },
  Transactions: {
    csv: () => import('./commands/csv.ts'),
    push: () => import('./commands/push.ts'),
    import: () => import('./commands/import.ts'),
    transactions: () => import('./commands/transactions.ts'),
    allocate: () => import('./commands/allocate.ts'),
    exclude: workflow,
    restore: workflow,
    review: workflow,
  },
  Maintenance: {
    backup,
    'restore-backup': backup,
    check: () => import('./commands/check.ts'),
    export: () => import('./commands/export.ts'),
    doctor: () => import('./commands/doctor.ts'),
    audit: () => import('./commands/audit.ts'),
    print: () => import('./commands/print.ts'),
  },
};

/** The commands that begin with a word, in their order. */
async function listBeginning(word: string): Promise<Command[]> {
  for (const files of Object.values(GROUPS)) {
    if (!Object.hasOwn(files, word)) continue;
    const { commands = [] } = (await files[word]?.()) ?? {};
    return commands.filter(({ name }) => name.split(' ', 1)[0] === word);
  }
  return [];
}

/** Every command, by the title of its group. */
export function listGroups(): Promise<(readonly [title: string, commands: Command[]])[]> {
  const groups = Object.entries(GROUPS).map(async ([title, files]) => {
    const commands = await Promise.all(Object.keys(files).map(listBeginning));
    return [title, commands.flat()] as const;
  });
  return Promise.all(groups);
}

/** The names of the commands that begin with a word; without one, of all. */
export async function listNames(word?: string): Promise<string[]> {
  const groups =
    word === undefined ? await listGroups() : [['', await listBeginning(word)] as const];
  return groups.flatMap(([, commands]) => commands.map(({ name }) => name));
}

/** The command with this name, if there is one. */
export async function findCommand(name: string): Promise<Command | undefined> {
  const commands = await listBeginning(name.split(' ', 1)[0] ?? '');
  return commands.find((each) => each.name === name);
}
