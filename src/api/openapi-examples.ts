/** The examples of each operation in the OpenAPI document. */

import {
  allocationListExample,
  dryRunAnswerExample,
  mixedPushAnswerExample,
  monthlyReportExample,
  projectExample,
  projectListExample,
  pushAnswerExample,
  pushRequestExample,
  quarterlyReportExample,
  transactionListExample,
} from './examples.ts';
import type { Example } from './openapi-document.ts';
import type { OperationId } from './routes.ts';

type Examples = Readonly<Record<string, Example>>;

/** Examples of request bodies. */
export const REQUEST_EXAMPLES: Examples = {
  twoRows: { summary: 'Money out and money in', value: pushRequestExample },
};

/** Examples of each operation's 200. */
export const ANSWER_EXAMPLES: Readonly<Record<OperationId, Examples>> = {
  listProjects: { projects: { summary: 'All projects', value: projectListExample } },
  getProject: { project: { summary: 'A project', value: projectExample } },
  getProjectReport: {
    quarterly: { summary: 'By quarter', value: quarterlyReportExample },
    monthly: { summary: 'By month', value: monthlyReportExample },
  },
  listProjectAllocations: {
    allocations: { summary: 'All allocations', value: allocationListExample },
  },
  listTransactions: {
    page: { summary: 'The first of two pages', value: transactionListExample },
  },
  pushTransactions: {
    created: { summary: 'Two new rows', value: pushAnswerExample },
    mixed: {
      summary: 'A changed amount, a warning and a rejected row',
      value: mixedPushAnswerExample,
    },
    dryRun: { summary: 'A dry run', value: dryRunAnswerExample },
  },
};
