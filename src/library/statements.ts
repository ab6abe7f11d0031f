/** Statements in the library. */

import type { StatementDocument } from '../core/statements.ts';
import { accessTo } from '../operations/access.ts';
import * as operations from '../operations/statements.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with statements. */
export type Statements = ReturnType<typeof buildStatements>;

/** Builds the calls for statements. */
export function buildStatements(context: LibraryContext) {
  return {
    /** The issued and withdrawn statements of a project, by number, then issue. */
    list(organisationId: string, projectId: string): operations.ListedStatement[] {
      return operations.listStatements(accessTo(context, organisationId), projectId);
    },
    /**
     * A statement by its number, the newest issue or another; without a number the draft, with the
     * figures of now. Refuses with `not_found`, or `conflict` for a month that it cannot end with.
     */
    show(
      organisationId: string,
      projectId: string,
      {
        number,
        issue,
        ...draft
      }: operations.DraftRequest & { number?: number; issue?: number } = {},
    ): StatementDocument {
      const access = accessTo(context, organisationId);
      return number === undefined
        ? operations.getDraft(access, projectId, draft, context.actor())
        : operations.getStatement(access, projectId, { number, issue });
    },
    /**
     * Issues the next statement. Refuses with `invalid_input`, or `conflict`: a month that cannot
     * be reported, or lines without their reasons unless `withoutReasons` is set.
     */
    issue(
      organisationId: string,
      projectId: string,
      request: operations.IssueRequest = {},
    ): StatementDocument {
      const access = accessTo(context, organisationId);
      return operations.issueStatement(access, projectId, request, context.actor());
    },
    /** Withdraws the newest statement; its number is given again. Refuses with `conflict`. */
    withdraw(
      organisationId: string,
      projectId: string,
      number: number,
      withdrawal: { readonly reason: string },
    ): StatementDocument {
      const access = accessTo(context, organisationId);
      return operations.withdrawStatement(
        access,
        projectId,
        { number, ...withdrawal },
        context.actor(),
      );
    },
  };
}
