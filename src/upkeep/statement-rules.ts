/** What `check` proves about issued statements (contract 14). */

import { createHash } from 'node:crypto';
import { formatId, type OrgId } from '../core/ids.ts';
import { fromMajor } from '../core/money.ts';
import { turnIncome } from '../core/projects.ts';
import type { StatementBody } from '../core/statements.ts';
import { parseJson } from '../core/text.ts';
import type { Db } from '../database/database.ts';
import { listOrganisations } from '../store/organisations.ts';

/** The statements that break a rule, of those whose numbers are in a range. */
type StatementRange = (from: number, to: number) => readonly { readonly example: string }[];

/** A stored statement, as far as it is checked. */
interface CheckedStatement {
  readonly id: number;
  readonly orgId: OrgId;
  readonly document: string;
  readonly hash: Buffer;
  /** The document of the one before, if neither is withdrawn. */
  readonly previous: string | null;
}

/** Finds the statements that are broken, of those whose numbers are in a range. */
function listBroken(db: Db, isBroken: (checked: CheckedStatement) => boolean): StatementRange {
  const statements = db.prepare<[number, number], CheckedStatement>(
    `select s.id, s.organisation_id as orgId, s.document, s.hash, p.document as previous
       from statements s left join statements p
         on p.organisation_id = s.organisation_id and p.project_id = s.project_id
        and p.number = s.number - 1 and p.withdrawn_at is null and s.withdrawn_at is null
      where s.id between ? and ?`,
  );
  return (from, to) => {
    const broken = statements.all(from, to).filter(isBroken);
    return broken.map(({ id }) => ({ example: `statement ${id}` }));
  };
}

/** Statements whose document has another hash, or is not the text of which the hash is. */
export function listReissued(db: Db): StatementRange {
  return listBroken(db, ({ document, hash }) => {
    return !createHash('sha256').update(String(document)).digest().equals(Buffer.from(hash));
  });
}

/** Statements with other figures than their items, or another start than the one before ended. */
export function listUnequal(db: Db): StatementRange {
  const places = new Map(
    listOrganisations({ db }).map(({ id, currency }) => [id, currency.places]),
  );
  const items = db
    .prepare<[number], [lineId: number, period: number, changes: number]>(
      `select budget_line_id, sum(amount_minor * (is_change = 0)), sum(amount_minor * is_change)
         from statement_items where statement_id = ? group by budget_line_id`,
    )
    .raw();
  return listBroken(db, ({ id, orgId, document, previous }) => {
    const sums = new Map(items.all(id).map(([line, ...sum]) => [formatId('bln', line), sum]));
    const before = previous === null ? undefined : readLines(previous);
    const minor = (amount: number) => fromMajor(amount, places.get(orgId) ?? 0);
    const areEqual = readLines(document)?.every((line) => {
      const [period = 0, changes = 0] = sums.get(line.budgetLineId) ?? [];
      sums.delete(line.budgetLineId);
      const start = before?.find(({ budgetLineId }) => budgetLineId === line.budgetLineId);
      return (
        minor(line.period) === turnIncome(line.kind, period) &&
        minor(line.changes) === turnIncome(line.kind, changes) &&
        minor(line.before + line.period + line.changes) === minor(line.toDate) &&
        (previous === null || line.before === (start?.toDate ?? 0))
      );
    });
    return !areEqual || [...sums.values()].some((sum) => sum.some((each) => each !== 0));
  });
}

/** The lines of a document; undefined if it cannot be read. */
function readLines(document: string): StatementBody['lines'] | undefined {
  return (parseJson(document) as StatementBody | null | undefined)?.lines;
}
