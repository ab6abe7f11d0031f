import { explainPlan, PLANS, planIncludes } from '../../core/plans.ts';
import { cleanText } from '../../core/text-width.ts';
import * as operations from '../../operations/organisations.ts';
import type { Command } from '../command.ts';
import { readChoice, readPositionals } from '../options.ts';
import { printLines, printNotes, printResult } from '../output.ts';

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
    operations.setOrganisation(access, change, service.actor());
    const { name } = access.organisation;
    printResult(call, { plan: choice }, () => {
      printLines(call.io, `${cleanText(name)} is now on the ${choice} plan.`);
      if (!planIncludes(choice, 'api_access')) {
        printNotes(call.io, `Its keys are refused: ${explainPlan(choice, 'api_access')}`);
      }
    });
  },
};

export const commands = [setPlan];
