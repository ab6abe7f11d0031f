/** The public names of `budgetd`: docs/testing.md shows how to use them. */

import { preloadDriver } from './database/driver.ts';

export type {
  Allocation,
  AllocationList,
  Project,
  ProjectDocument,
  ProjectList,
  PushRow,
  Report,
  ReportDocument,
  Transaction,
  TransactionDocument,
  TransactionList,
} from './api/contract.ts';
export type { AuditEntry, ImportedProject, Key, Organisation } from './api/documents.ts';
export { FAILURE_CODES, Failure, type FailureCode, type FailureDetail } from './core/failures.ts';
export { PLANS, type Plan, SCOPES, type Scope } from './core/plans.ts';
export type { PushMeta, PushResult, RowError, RowWarning } from './core/push.ts';
export type { StatementDocument } from './core/statements.ts';
export type { Fault, Faults, FaultTarget } from './http/faults.ts';
export type { LogEvent } from './http/refusals.ts';
export type { RecordedRequest, RequestLog } from './http/request-log.ts';
export type { Audit } from './library/audit.ts';
export type { Keys } from './library/keys.ts';
export type { Organisations } from './library/organisations.ts';
export type { Projects } from './library/projects.ts';
export type { Rules } from './library/rules.ts';
export type { ProjectInput, SeedAllocation, SeedDraft, Seeded } from './library/seed.ts';
export type { Statements } from './library/statements.ts';
export type {
  AccountCodeAllocation,
  AllocationInput,
  PushedRows,
  Transactions,
} from './library/transactions.ts';
export type { QueryInput } from './operations/input.ts';
export type { KeyDraft } from './operations/keys.ts';
export type { OrganisationDraft } from './operations/organisations.ts';
export type { DraftRequest } from './operations/statement-drafts.ts';
export type { IssueRequest, ListedStatement } from './operations/statements.ts';
export { createService, type ListenOptions, type Service, type ServiceOptions } from './service.ts';
export type { CheckResult } from './upkeep/check.ts';
export type { BackupPlan, BackupState } from './upkeep/nightly.ts';
export type { Health, Notice } from './upkeep/upkeep.ts';

preloadDriver();
