import { Failure } from '../../core/failures.ts';
import { DEFAULT_PLAN, explainNoAccess, PLANS } from '../../core/plans.ts';
import { cleanText } from '../../core/text-width.ts';
import { USUAL_TIME_ZONE } from '../../core/time-zones.ts';
import { hasUsers } from '../../operations/links.ts';
import { setOrganisation } from '../../operations/organisations.ts';
import type { Call, Command } from '../command.ts';
import { asUsage } from '../errors.ts';
import { hasFlag, optionText, readChoice, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';

const init: Command = {
  name: 'init',
  summary: 'creates an organisation, and its database if needed',
  usage: '--name N --currency GBP [--plan professional] [--time-zone Z] [--another]',
  details: `
  --name N        the organisation's name
  --currency C    its currency, an ISO 4217 code. It cannot be changed later
  --plan P        ${PLANS.join(', ')}
                  (default ${DEFAULT_PLAN})
  --time-zone Z   how the console shows times, such as Europe/London
                  (default ${USUAL_TIME_ZONE})
  --another       add an organisation to a database that already has one

Example: budgetd init --name "Harbour Trust" --currency GBP`,
  async run(call) {
    const draft = {
      name: requireText(call, 'name'),
      baseCurrency: requireText(call, 'currency'),
      timeZone: optionText(call, 'time-zone') ?? USUAL_TIME_ZONE,
      plan: readChoice('--plan', optionText(call, 'plan') ?? DEFAULT_PLAN, PLANS),
    };
    // A trial run in memory: a refused draft must not leave a file behind.
    const trial = await call.openService({ database: ':memory:' });
    asUsage(() => trial.organisations.create(draft));
    const service = await call.openService({ create: true });
    const onlyFirst = !hasFlag(call, 'another');
    const { id, name, baseCurrency, plan } = explainSecond(call, () =>
      service.organisations.create({ ...draft, onlyFirst }),
    );
    printResult(call, { organisationId: id }, () => {
      const shown = `${cleanText(name)} (${id}, ${baseCurrency}, ${plan} plan)`;
      printLines(call.io, `Created ${shown} in ${call.database}.`);
      const org = service.organisations.list().length === 1 ? '' : ` --org ${id}`;
      printNotes(call.io, `Next: budgetd projects import projects.json${org}`);
      if (!hasUsers(service.source)) {
        printNotes(
          call.io,
          `For the first user: budgetd users create --role owner --email E${org}`,
        );
      }
    });
  },
};

/** Adds to the refusal of a second organisation where it is, and what to do. */
function explainSecond<Result>({ database }: Call, create: () => Result): Result {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
    const problem = error.message.replace('The database', () => database);
    const advice = 'To add another, pass --another. For a new database, pass --db FILE.';
    throw new Failure('conflict', `${problem} ${advice}`);
  }
}

const setPlan: Command = {
  name: 'plan set',
  summary: "sets the organisation's plan",
  usage: 'PLAN',
  details: `PLAN is one of ${PLANS.join(', ')}. The HTTP interface
needs professional or enterprise. The change applies from the next request.`,
  async run(call) {
    const [wanted] = readPositionals(call, 'PLAN');
    const choice = readChoice('PLAN', wanted, PLANS);
    const { access, service } = await call.openOrganisation();
    const change = { member: 'plan', value: choice } as const;
    setOrganisation(access, change, service.actor());
    const { name } = access.organisation;
    printResult(call, { plan: choice }, () => {
      printLines(call.io, `${cleanText(name)} is now on the ${choice} plan.`);
      const noAccess = explainNoAccess(choice);
      if (noAccess !== undefined) printNotes(call.io, `Its keys are refused: ${noAccess}`);
    });
  },
};

export const commands = [init, setPlan];
