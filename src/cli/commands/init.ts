import { organisationDocument } from '../../api/documents.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import type { OrganisationRecord } from '../../core/organisations.ts';
import { DEFAULT_PLAN, explainNoAccess, PLANS } from '../../core/plans.ts';
import { cleanText } from '../../core/text-width.ts';
import { USUAL_TIME_ZONE } from '../../core/time-zones.ts';
import { atomically } from '../../operations/access.ts';
import { setOrganisation } from '../../operations/organisations.ts';
import { listOrganisations } from '../../store/organisations.ts';
import { hasUsers } from '../../store/users.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { asUsage } from '../errors.ts';
import { showDay } from '../instants.ts';
import { hasFlag, optionText, pickOption, readPositionals, requireText } from '../options.ts';
import { printLines, printNotes, printResult, printTable } from '../output.ts';
import type { ListColumn } from '../table.ts';

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
  choices: { plan: PLANS },
  shared: ['db', 'config', 'json'],
  async run(call) {
    const draft = {
      name: requireText(call, 'name'),
      baseCurrency: requireText(call, 'currency').toUpperCase(),
      timeZone: optionText(call, 'time-zone') ?? USUAL_TIME_ZONE,
      plan: pickOption('--plan', optionText(call, 'plan') ?? DEFAULT_PLAN, PLANS),
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

const showPlan: Command = {
  name: 'plan',
  summary: "shows the organisation's plan",
  async run(call) {
    const { access } = await call.openOrganisation();
    const { plan } = access.organisation;
    printResult(call, { plan }, plan);
  },
};

const setPlan: Command = {
  name: 'plan set',
  summary: "sets the organisation's plan",
  usage: 'PLAN',
  details: `PLAN is one of ${PLANS.join(', ')}. The HTTP interface
needs professional or enterprise. The change applies from the next request.`,
  choices: { PLAN: PLANS },
  async run(call) {
    const [wanted] = readPositionals(call, 'PLAN');
    const choice = pickOption('PLAN', wanted, PLANS);
    const { access, actor } = await call.openOrganisation();
    const change = { member: 'plan', value: choice } as const;
    setOrganisation(access, change, actor());
    const { name } = access.organisation;
    printResult(call, { plan: choice }, () => {
      printLines(call.io, `${cleanText(name)} is now on the ${choice} plan.`);
      const noAccess = explainNoAccess(choice);
      if (noAccess !== undefined) printNotes(call.io, `Its keys are refused: ${noAccess}`);
    });
  },
};

const COLUMNS: readonly ListColumn<OrganisationRecord>[] = [
  { title: 'Id', cell: ({ id }) => formatId('org', id) },
  { title: 'Organisation', min: 12, cell: ({ name }) => name },
  { title: 'Currency', cell: ({ currency }) => currency.code },
  { title: 'Plan', cell: ({ plan }) => plan },
  { title: 'Time zone', rank: 1, cell: ({ timeZone }) => timeZone },
  { title: 'Created', rank: 2, cell: ({ createdAtMs }) => showDay(createdAtMs) },
];

const listAllOrganisations: Command = {
  name: 'organisations list',
  summary: 'lists the organisations of the database',
  shared: ['db', 'config', 'json'],
  async run(call) {
    const service = await call.openService();
    const all = listOrganisations(service.source);
    printResult(call, all.map(organisationDocument), () => {
      const none = 'No organisations yet. Create one with `budgetd init`.';
      printTable(call.io, all, COLUMNS, { none });
    });
  },
};

/** What `organisations set` can change, by its options. */
const SETTABLE = { name: 'name', 'time-zone': 'timeZone', letterhead: 'letterhead' } as const;

const changeOrganisation: Command = {
  name: 'organisations set',
  summary: 'sets the name, the time zone or the head of statements',
  usage: '[--name N] [--time-zone Z] [--letterhead T]',
  details: `
  --name N        its name
  --time-zone Z   how the console shows times, such as Europe/London
  --letterhead T  up to 4 lines at the head of statements, below the name;
                  an empty text removes them

\`budgetd plan set\` sets the plan. The currency cannot be changed.`,
  async run(call) {
    const changes = Object.entries(SETTABLE).flatMap(([option, member]) => {
      const value = optionText(call, option);
      return value === undefined ? [] : [{ member, value }];
    });
    if (changes.length === 0) throw new UsageError('Pass --name, --time-zone or --letterhead.');
    const { access, service } = await call.openOrganisation();
    atomically(service.source, () => {
      for (const change of changes) {
        asUsage(() => setOrganisation(access, change, service.actor()));
      }
    });
    const { organisation } = service.access(formatId('org', access.organisation.id));
    printResult(call, organisationDocument(organisation), () => {
      printTable(call.io, [organisation], COLUMNS);
    });
  },
};

export const commands = [init, listAllOrganisations, changeOrganisation, showPlan, setPlan];
