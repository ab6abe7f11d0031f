/** What the service gives to commands: the interface's documents and the library's nouns. */

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
export type AuditEntry = Given<'audit', 'list'>[number];
