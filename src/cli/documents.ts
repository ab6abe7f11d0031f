/** The types that commands work with: the interface's documents and the library's nouns. */

import type { Service } from '../service.ts';

type Given<
  Noun extends keyof Service,
  Verb extends keyof Service[Noun],
> = Service[Noun][Verb] extends (...parameters: never[]) => infer Result ? Result : never;

export type Organisation = Given<'organisations', 'create'>;
export type Key = Given<'keys', 'list'>[number];
export type ProjectList = Given<'projects', 'list'>;
export type Project = ProjectList['data'][number];
export type Report = Given<'projects', 'report'>['data'];
export type ReportCell = Report['totals']['total'];
export type ReportRow = Report['rows'][number];
export type TransactionList = Given<'transactions', 'list'>;
export type TransactionDocument = Given<'transactions', 'get'>;
export type Transaction = TransactionDocument['data'];
export type Allocation = Given<'projects', 'allocations'>['data'][number];
export type AuditEntry = Given<'audit', 'list'>[number];

/** An open database, and the organisation that a command works for. */
export interface Opened {
  readonly service: Service;
  readonly organisation: Organisation;
}
