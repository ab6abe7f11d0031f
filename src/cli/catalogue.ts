/** Every command, in groups, in the order that a newcomer needs them; loaded when it is needed. */

import type { Command } from './command.ts';

type Load = () => Promise<{ readonly commands: readonly Command[] }>;

const init: Load = () => import('./commands/init.ts');
const workflow: Load = () => import('./commands/workflow.ts');
const backup: Load = () => import('./commands/backup.ts');
const users: Load = () => import('./commands/users.ts');

/** The titles of the groups; the file of each command by the first word of its name. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Start: {
    demo: () => import('./commands/demo.ts'),
    init,
    serve: () => import('./commands/serve.ts'),
    config: () => import('./commands/config.ts'),
  },
  Access: {
    users,
    'set-up-link': users,
    keys: () => import('./commands/keys.ts'),
    plan: init,
  },
  Budgets: {
    projects: () => import('./commands/projects.ts'),
    report: () => import('./commands/report.ts'),
    rules: () => import('./commands/rules.ts'),
    statements: () => import('./commands/statements.ts'),
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
    check: backup,
    export: () => import('./commands/export.ts'),
    doctor: () => import('./commands/doctor.ts'),
    audit: () => import('./commands/audit.ts'),
    print: () => import('./commands/print.ts'),
  },
};

/** The commands that begin with a word, or all, in their order. */
export async function listCommands(word?: string): Promise<Command[]> {
  const files = Object.values(GROUPS).flatMap((group) => Object.entries(group));
  const wanted = files.filter(([first]) => word === undefined || first === word);
  const loaded = wanted.map(async ([first, load]) => {
    const { commands } = await load();
    return commands.filter((command) => firstWordOf(command) === first);
  });
  return (await Promise.all(loaded)).flat();
}

/** The first word of a command, which says its group and file. */
export function firstWordOf({ name }: Pick<Command, 'name'>): string {
  return name.split(' ', 1).join('');
}
