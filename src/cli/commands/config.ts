import { type Setting, settingsUsage, warnUnknown } from '../../settings/settings.ts';
import type { Command } from '../command.ts';
import { printNotes, printResult, printTable } from '../output.ts';
import { listSecretOrigins } from '../secrets.ts';
import type { ListColumn } from '../table.ts';
import { SERVE_SETTINGS } from './serve.ts';

/** A setting, or a secret with a mask for its value. */
type Shown = Pick<Setting, 'value' | 'from'> & { readonly name: string };

const MASK = '********';
const COLUMNS: readonly ListColumn<Shown>[] = [
  { title: 'Setting', cell: ({ name }) => name },
  { title: 'Value', min: 12, cell: ({ value }) => String(value) },
  { title: 'From', min: 12, cell: ({ from }) => from },
];

const config: Command = {
  name: 'config',
  summary: 'shows the settings of serve, and where each comes from',
  usage: settingsUsage(SERVE_SETTINGS),
  details: `
Shows what \`serve\` would use with the same options, and where each value comes
from: a flag, a variable, a line of the settings file, or the default, in this
order. BUDGETD_CONFIG or the global option --config names the file:

  BUDGETD_DB=/var/lib/budgetd/budgetd.db
  BUDGETD_PORT=8080

systemd can read it as an EnvironmentFile. A relative path begins at the folder
in which the command runs. The output shows where a secret is, such as
BUDGETD_KEY or the file of BUDGETD_KEY_FILE, but not the secret itself.`,
  settings: SERVE_SETTINGS,
  shared: ['db', 'config', 'json'],
  async run(call) {
    const { io, settings } = call;
    printNotes(io, ...warnUnknown(io.env).map((warning) => `Warning: ${warning}`));
    const secrets = listSecretOrigins(io).map((secret) => ({ ...secret, value: MASK }));
    const shown: Shown[] = [...settings, ...secrets];
    printResult(call, shown, () => printTable(io, shown, COLUMNS));
  },
};

export const commands = [config];
