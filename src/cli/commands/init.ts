import { Failure } from '../../core/failures.ts';
import { DEFAULT_PLAN, PLANS } from '../../core/plans.ts';
import {
  type Call,
  type Command,
  EXIT,
  hasFlag,
  readChoice,
  readPositionals,
  requireText,
  textOf,
} from '../command.ts';
import type { Organisation } from '../documents.ts';
import { asUsage } from '../errors.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { cleanText } from '../text-width.ts';

/** `budgetd init`. */
export const init: Command = {
  usage: 'init --name N --currency GBP [--plan professional] [--another]',
  summary: 'creates an organisation, and the database if there is none',
  details: `
  --name N        the organisation's name
  --currency C    its currency, an ISO 4217 code. It cannot be changed later
  --plan P        ${PLANS.join(', ')}
                  (default ${DEFAULT_PLAN})
  --another       add an organisation to a database that already has one

Example: budgetd init --name "Harbour Trust" --currency GBP`,
  options: {
    name: { type: 'string' },
    currency: { type: 'string' },
    plan: { type: 'string' },
    another: { type: 'boolean' },
  },
  async run(call) {
    readPositionals(call);
    const draft = {
      name: requireText(call, 'name'),
      baseCurrency: requireText(call, 'currency'),
      plan: readChoice('--plan', textOf(call, 'plan') ?? DEFAULT_PLAN, PLANS),
    };
    // A trial in memory: a refused draft must not leave a file behind.
    const trial = await call.openService({ database: ':memory:' });
    asUsage(() => trial.organisations.create(draft));
    const service = await call.openService({ create: true });
    const existing = service.organisations.list();
    if (!hasFlag(call, 'another')) refuseSecond(call, existing);
    const { id, name, baseCurrency, plan } = service.organisations.create(draft);
    printResult(call, { organisationId: id }, () => {
      const shown = `${cleanText(name)} (${id}, ${baseCurrency}, ${plan} plan)`;
      printLines(call.io, `Created ${shown} in ${call.database}.`);
      const org = existing.length === 0 ? '' : ` --org ${id}`;
      printNotes(call.io, `Next: budgetd projects import projects.json${org}`);
    });
    return EXIT.done;
  },
};

/** Refuses to add an organisation to those that are already in the database. */
function refuseSecond({ database }: Call, existing: readonly Organisation[]): void {
  const [first] = existing;
  if (first === undefined) return;
  const others = existing.length === 1 ? '' : ` and ${existing.length - 1} more`;
  const has = `${database} already has ${first.name} (${first.id}, ${first.baseCurrency})${others}`;
  const ways = 'To add another organisation, pass --another. For a new database, pass --db FILE.';
  throw new Failure('conflict', `${has}. ${ways}`);
}
