/** Statements in the library. */

import { Failure } from '../core/failures.ts';
import type { StatementDocument } from '../core/statements.ts';
import { accessTo, consistently } from '../operations/access.ts';
import type { DraftRequest } from '../operations/statement-drafts.ts';
import { readWithItems } from '../operations/statement-items.ts';
import * as operations from '../operations/statements.ts';
import { finish, takeTurns } from '../operations/turns.ts';
import type { Access } from '../store/access.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with statements. */
export type Statements = ReturnType<typeof buildStatements>;

/** An issued statement by its number, or without one the draft. */
type Wanted = DraftRequest & { readonly number?: number; readonly issue?: number };

/** Builds the calls for statements. */
export function buildStatements(context: LibraryContext) {
  const take = (access: Access, projectId: string, wanted: Wanted) => {
    refuseIgnored(wanted);
    const { number, issue, ...draft } = wanted;
    if (number !== undefined) return operations.readStatement(access, projectId, { number, issue });
    return operations.readStatementDraft(access, projectId, draft, context.actor());
  };
  return {
    /** The issued and withdrawn statements of a project, by number, then issue. */
    list(organisationId: string, projectId: string): operations.ListedStatement[] {
      return operations.listStatements(accessTo(context, organisationId), projectId);
    },
    /**
     * A statement by its number, the newest issue or another; without a number the draft, with the
     * current figures. Refuses with `not_found`, `invalid_input` for a text that is not a month, an
     * issue without a number or a month with one, or `conflict` for a month it cannot end with.
     */
    show(organisationId: string, projectId: string, wanted: Wanted = {}): StatementDocument {
      const access = accessTo(context, organisationId);
      return consistently(access, () => finish(take(access, projectId, wanted)));
    },
    /**
     * Issues the next statement. Refuses with `invalid_input`, or `conflict`: a month that cannot
     * be reported, or lines without their reasons unless `withoutReasons` is set.
     */
    issue(
      organisationId: string,
      projectId: string,
      request: operations.IssueRequest,
    ): StatementDocument {
      const access = accessTo(context, organisationId);
      return operations.issueStatement(access, projectId, request, context.actor());
    },
    /**
     * A statement, or the draft, as an Excel workbook: a sheet of its lines, and one of the
     * transactions that it counted. Contacts are in it if asked for: some are private persons.
     */
    async xlsx(
      organisationId: string,
      projectId: string,
      { withContacts = false, ...wanted }: Wanted & { readonly withContacts?: boolean } = {},
    ): Promise<Uint8Array> {
      const access = accessTo(context, organisationId);
      const { formatStatementXlsx } = await import('../operations/statement-files.ts');
      const reading = readWithItems(access, () => take(access, projectId, wanted), context.actor());
      const { document, items } = await takeTurns(reading, () => {});
      const pieces = await formatStatementXlsx(document, { access, items, withContacts });
      return Buffer.concat(pieces);
    },
    /** Withdraws the newest statement; its number is given again. Refuses with `conflict`. */
    withdraw(
      organisationId: string,
      projectId: string,
      number: number,
      withdrawal: { readonly reason: string },
    ): StatementDocument {
      const access = accessTo(context, organisationId);
      const wanted = { number, ...withdrawal };
      return operations.withdrawStatement(access, projectId, wanted, context.actor());
    },
  };
}

function refuseIgnored({ number, issue, to, withSubProjects }: Wanted): void {
  if (number === undefined && issue !== undefined) {
    throw new Failure('invalid_input', 'Add number: the draft has no issue.');
  }
  if (number !== undefined && (to ?? withSubProjects) !== undefined) {
    const message = 'to and withSubProjects are only for the draft. Omit them, or omit number.';
    throw new Failure('invalid_input', message);
  }
}
