import { PLANS, planIncludes } from '../../core/plans.ts';
import { type Command, EXIT, readChoice, readPositionals } from '../command.ts';
import { printLines, printNotes, printResult } from '../output.ts';
import { cleanText } from '../text-width.ts';

/** `budgetd plan set`. */
export const setPlan: Command = {
  usage: 'plan set PLAN',
  summary: 'puts the organisation on a plan, from the next request on',
  details: `PLAN is one of ${PLANS.join(', ')}; the HTTP
interface needs professional.`,
  options: {},
  async run(call) {
    const [wanted] = readPositionals(call, 'PLAN');
    const choice = readChoice('PLAN', wanted, PLANS);
    const { service, organisation } = await call.openOrganisation();
    const { plan, name } = service.organisations.setPlan(organisation.id, choice);
    printResult(call, { plan }, () => {
      printLines(call.io, `${cleanText(name)} is on the plan ${plan}.`);
      if (!planIncludes(plan, 'api_access')) {
        printNotes(call.io, 'Its keys are refused now: the interface needs professional.');
      }
    });
    return EXIT.done;
  },
};
