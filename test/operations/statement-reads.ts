/** Reads statements and their items for tests, which wait for nobody. */

import type { Actor } from '../../src/core/audit.ts';
import type { StatementDocument } from '../../src/core/statements.ts';
import { readWithItems } from '../../src/operations/statement-items.ts';
import { readStatement, readStatementDraft } from '../../src/operations/statements.ts';
import { finish, type Steps } from '../../src/operations/turns.ts';
import type { Access } from '../../src/store/access.ts';

/** A statement by its number. */
export function getStatement(...asked: Parameters<typeof readStatement>): StatementDocument {
  return finish(readStatement(...asked));
}

/** The draft with its figures of now. */
export function getDraft(...asked: Parameters<typeof readStatementDraft>): StatementDocument {
  return finish(readStatementDraft(...asked));
}

/** The items of a statement, or of a draft as it is now, at once. */
export function walkItems(access: Access, document: StatementDocument, actor: Actor) {
  return finish(readWithItems(access, () => stepsTo(document), actor)).items;
}

function* stepsTo(document: StatementDocument): Steps<StatementDocument> {
  yield;
  return document;
}
