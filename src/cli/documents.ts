/** The types that commands work with: the interface's documents and the library's nouns. */

import type { Service } from '../service.ts';

type Returned<
  Noun extends keyof Service,
  Verb extends keyof Service[Noun],
> = Service[Noun][Verb] extends (...parameters: never[]) => infer Result ? Result : never;

export type Organisation = Returned<'organisations', 'create'>;
export type Key = Returned<'keys', 'list'>[number];
export type ProjectList = Returned<'projects', 'list'>;
export type Project = ProjectList['data'][number];
export type Report = Returned<'projects', 'report'>['data'];
export type ReportCell = Report['totals']['total'];
export type ReportRow = Report['rows'][number];
export type TransactionList = Returned<'transactions', 'list'>;
export type TransactionDocument = Returned<'transactions', 'get'>;
export type Transaction = TransactionDocument['data'];
export type Allocation = Returned<'projects', 'allocations'>['data'][number];
export type AuditEntry = Returned<'audit', 'list'>[number];

/** An open database, and the organisation that a command works for. */
export interface Opened {
  readonly service: Service;
  readonly organisation: Organisation;
}
