/** Every command, in groups, in the order that a newcomer needs them; loaded when it runs. */

import type { Command, CommandEntry } from './command.ts';

type Load = () => Promise<{ readonly commands: readonly Command[] }>;

const init: Load = () => import('./commands/init.ts');
const workflow: Load = () => import('./commands/workflow.ts');
const backup: Load = () => import('./commands/backup.ts');
const users: Load = () => import('./commands/users.ts');

/** The titles of the groups; the file of each command by the first word of its name. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
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
    organisations: init,
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
    undo: workflow,
  },
  Maintenance: {
    backup,
    'restore-backup': backup,
    check: backup,
    export: () => import('./commands/export.ts'),
    doctor: () => import('./commands/doctor.ts'),
    audit: () => import('./commands/audit.ts'),
    print: () => import('./commands/print.ts'),
    completion: () => import('./commands/completion.ts'),
    version: () => import('./commands/version.ts'),
  },
};

/** Every command itself, by the titles of the groups. */
export async function loadCommands(): Promise<{ title: string; commands: Command[] }[]> {
  const groups = Object.entries(GROUPS).map(async ([title, files]) => {
    const loaded = Object.entries(files).map(async ([first, load]) => {
      const { commands } = await load();
      return commands.filter((command) => firstWordOf(command) === first);
    });
    return { title, commands: (await Promise.all(loaded)).flat() };
  });
  return Promise.all(groups);
}

/** A command of the table itself, which loads only its file. */
export async function loadCommand(entry: CommandEntry): Promise<Command> {
  const first = firstWordOf(entry);
  const [load] = Object.values(GROUPS).flatMap((group) => group[first] ?? []);
  const found = (await load?.())?.commands.find(({ name }) => name === entry.name);
  if (found === undefined) throw new Error(`no file has the command ${entry.name}`);
  return found;
}

function firstWordOf({ name }: CommandEntry): string {
  return name.split(' ', 1).join('');
}
