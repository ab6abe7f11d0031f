import { DEFAULT_PLAN, PLANS } from '../../core/plans.ts';
import {
  type Command,
  EXIT,
  readChoice,
  readPositionals,
  requireText,
  textOf,
} from '../command.ts';
import { asUsage } from '../errors.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { cleanText } from '../text-width.ts';

/** `budgetd init`. */
export const init: Command = {
  usage: 'init --name N --currency GBP [--plan professional]',
  summary: 'creates the database if need be, and an organisation in it',
  details: `
  --name N        the organisation's name
  --currency C    its base currency, a code of ISO 4217; it cannot change
  --plan P        ${PLANS.join(', ')};
                  ${DEFAULT_PLAN} unless given

Example: budgetd init --name "Harbour Trust" --currency GBP`,
  options: {
    name: { type: 'string' },
    currency: { type: 'string' },
    plan: { type: 'string' },
  },
  async run(call) {
    readPositionals(call);
    const draft = {
      name: requireText(call, 'name'),
      baseCurrency: requireText(call, 'currency'),
      plan: readChoice('--plan', textOf(call, 'plan') ?? DEFAULT_PLAN, PLANS),
    };
    // Tried in memory first, so that what is refused leaves no file behind.
    const trial = await call.openService({ database: ':memory:' });
    asUsage(() => trial.organisations.create(draft));
    const service = await call.openService({ create: true });
    const { id, name, baseCurrency, plan } = service.organisations.create(draft);
    const isOnly = service.organisations.list().length === 1;
    printResult(call, { organisationId: id }, () => {
      const shown = `${cleanText(name)} (${baseCurrency}, plan ${plan})`;
      printLines(call.io, `${id} is ${shown} in ${call.database}.`);
      const org = isOnly ? '' : ` --org ${id}`;
      const scopes = '--scope transactions:write --scope reports:read';
      printNotes(call.io, `Next: budgetd keys create${org} --name erp ${scopes}`);
    });
    return EXIT.done;
  },
};
