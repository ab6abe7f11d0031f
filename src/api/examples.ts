/**
 * Examples of version 1. They describe one small organisation, so identifiers and figures agree. A
 * test builds it and compares every example with the answer of a service.
 */

import type {
  Allocation,
  AllocationList,
  Project,
  ProjectDocument,
  ProjectList,
  PushAnswer,
  PushCounts,
  PushRequest,
  PushResultItem,
  RejectedPush,
  ReportCell,
  ReportDocument,
  Transaction,
  TransactionList,
} from './contract.ts';

const NO_COUNTS: PushCounts = {
  received: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  needsReview: 0,
  warnings: 0,
  dryRun: false,
};

/** The request id in the examples of refusals. */
export const EXAMPLE_REQUEST_ID = 'req_6f1d0b5a9c3e7248_1';

const parent: Project = {
  id: 'prj_0000000002',
  name: 'Harbour Trust 2026',
  description: null,
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-12-31T00:00:00.000Z',
  currency: 'GBP',
  budgetMode: 'total',
  parentProjectId: null,
  funder: null,
  createdAt: '2025-12-15T10:00:00.000Z',
  updatedAt: '2025-12-15T10:00:00.000Z',
};

const project: Project = {
  id: 'prj_0000000001',
  name: 'Youth work 2026',
  description: 'Two evenings a week in the boathouse',
  startDate: '2026-01-01T00:00:00.000Z',
  endDate: '2026-03-31T00:00:00.000Z',
  currency: 'GBP',
  budgetMode: 'monthly',
  parentProjectId: 'prj_0000000002',
  funder: { name: 'The Lottery', reference: 'YW-26' },
  createdAt: '2025-12-15T10:00:00.000Z',
  updatedAt: '2025-12-15T10:00:00.000Z',
};

export const projectListExample: ProjectList = {
  data: [parent, project],
  meta: { nextCursor: null },
};

export const projectExample: ProjectDocument = { data: project };

const cell = (budgeted: number, actual: number, variance: number): ReportCell => {
  return { budgeted, actual, variance };
};

export const monthlyReportExample: ReportDocument = {
  data: {
    projectId: 'prj_0000000001',
    currency: 'GBP',
    granularity: 'monthly',
    startDate: '2026-01-01',
    endDate: '2026-03-31',
    periods: [
      { key: '2026-01', startDate: '2026-01-01', endDate: '2026-01-31' },
      { key: '2026-02', startDate: '2026-02-01', endDate: '2026-02-28' },
      { key: '2026-03', startDate: '2026-03-01', endDate: '2026-03-31' },
    ],
    rows: [
      {
        budgetLineId: 'bln_0000000001',
        code: 'RENT',
        name: 'Rent',
        category: 'Premises',
        cells: [cell(1200, 1200, 0), cell(1200, 0, 1200), cell(1200, 0, 1200)],
        outsideActual: 0,
        total: cell(3600, 1200, 2400),
      },
      {
        budgetLineId: 'bln_0000000002',
        code: 'PAY',
        name: 'Sessional pay',
        category: 'Staff',
        cells: [cell(840.5, 0, 840.5), cell(840.5, 0, 840.5), cell(840.5, 0, 840.5)],
        outsideActual: 0,
        total: cell(2521.5, 0, 2521.5),
      },
    ],
    totals: {
      cells: [cell(2040.5, 1200, 840.5), cell(2040.5, 0, 2040.5), cell(2040.5, 0, 2040.5)],
      outsideActual: 0,
      total: cell(6121.5, 1200, 4921.5),
    },
    needsReview: { count: 1, amount: 1200 },
  },
};

export const quarterlyReportExample: ReportDocument = {
  data: {
    projectId: 'prj_0000000001',
    currency: 'GBP',
    granularity: 'quarterly',
    startDate: '2026-01-01',
    endDate: '2026-03-31',
    periods: [{ key: '2026-Q1', startDate: '2026-01-01', endDate: '2026-03-31' }],
    rows: [
      {
        budgetLineId: 'bln_0000000001',
        code: 'RENT',
        name: 'Rent',
        category: 'Premises',
        cells: [cell(3600, 1200, 2400)],
        outsideActual: 0,
        total: cell(3600, 1200, 2400),
      },
      {
        budgetLineId: 'bln_0000000002',
        code: 'PAY',
        name: 'Sessional pay',
        category: 'Staff',
        cells: [cell(2521.5, 0, 2521.5)],
        outsideActual: 0,
        total: cell(2521.5, 0, 2521.5),
      },
    ],
    totals: {
      cells: [cell(6121.5, 1200, 4921.5)],
      outsideActual: 0,
      total: cell(6121.5, 1200, 4921.5),
    },
    needsReview: { count: 1, amount: 1200 },
  },
};

const allocation: Allocation = {
  id: 'alc_0000000001',
  projectId: 'prj_0000000001',
  budgetLineId: 'bln_0000000001',
  budgetLine: { code: 'RENT', name: 'Rent' },
  transactionId: 'txn_0000000001',
  transaction: {
    provider: 'api',
    externalId: 'INV-1',
    date: '2026-01-30',
    description: 'Rent, January',
    contact: 'Landlord Ltd',
  },
  amount: 1200,
  note: null,
  createdAt: '2026-01-31T12:30:00.000Z',
  updatedAt: '2026-01-31T12:30:00.000Z',
};

export const allocationListExample: AllocationList = {
  data: [allocation],
  meta: { nextCursor: null },
};

const underReview: Transaction = {
  id: 'txn_0000000001',
  provider: 'api',
  externalId: 'INV-1',
  date: '2026-01-30',
  description: 'Rent, January',
  contact: 'Landlord Ltd',
  amount: 1250,
  currency: 'GBP',
  accountCode: '7100',
  status: 'needs_review',
  allocatedAmount: 1200,
  review: {
    reason: 'amount_changed',
    previousAmount: 1200,
    changedAt: '2026-02-02T09:00:00.000Z',
  },
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-02-02T09:00:00.000Z',
};

const unallocated: Transaction = {
  id: 'txn_0000000003',
  provider: 'api',
  externalId: 'PAY-1',
  date: '2026-01-28',
  description: 'Sessional pay',
  contact: null,
  amount: 840.5,
  currency: 'GBP',
  accountCode: '7000',
  status: 'unallocated',
  allocatedAmount: 0,
  review: null,
  createdAt: '2026-02-02T09:00:00.000Z',
  updatedAt: '2026-02-02T09:00:00.000Z',
};

/** The first of two pages of `limit=2`. */
export const transactionListExample: TransactionList = {
  data: [underReview, unallocated],
  meta: { nextCursor: 'eRM_UwDp7aE7sINSWy0yMDI2MDEyOCwzXQ' },
};

export const pushRequestExample: PushRequest = {
  rows: [
    {
      externalId: 'INV-1',
      date: '2026-01-30',
      description: 'Rent, January',
      contact: 'Landlord Ltd',
      amount: 1200,
      accountCode: '7100',
    },
    {
      externalId: 'GRANT-1',
      date: '2026-01-12',
      description: 'Grant, first part',
      contact: 'The Lottery',
      amount: -5000,
    },
  ],
};

/** The answer to the first push of `pushRequestExample`. */
export const pushAnswerExample: PushAnswer = {
  data: [
    {
      index: 0,
      externalId: 'INV-1',
      status: 'created',
      id: 'txn_0000000001',
      needsReview: false,
      changed: [],
      warnings: [],
    },
    {
      index: 1,
      externalId: 'GRANT-1',
      status: 'created',
      id: 'txn_0000000002',
      needsReview: false,
      changed: [],
      warnings: [],
    },
  ],
  meta: { ...NO_COUNTS, received: 2, created: 2 },
};

const rejected = (index: number): PushResultItem => ({
  index,
  externalId: 'INV-2',
  status: 'rejected',
  errors: [
    {
      field: 'date',
      code: 'invalid_date',
      message: 'Write the date as YYYY-MM-DD, not "30/01/2026".',
    },
    {
      field: 'amount',
      code: 'invalid_type',
      message: 'amount must be a JSON number, without quotation marks.',
    },
  ],
});

/** INV-1 again with another amount, PAY-1 with an unknown member, and INV-2 with errors. */
export const mixedPushAnswerExample: PushAnswer = {
  data: [
    {
      index: 0,
      externalId: 'INV-1',
      status: 'updated',
      id: 'txn_0000000001',
      needsReview: true,
      changed: ['amount'],
      warnings: [],
    },
    {
      index: 1,
      externalId: 'PAY-1',
      status: 'created',
      id: 'txn_0000000003',
      needsReview: false,
      changed: [],
      warnings: [
        {
          field: 'hours',
          code: 'unknown_field',
          message: 'This member is unknown. It is kept as raw data only.',
        },
      ],
    },
    rejected(2),
  ],
  meta: {
    ...NO_COUNTS,
    received: 3,
    created: 1,
    updated: 1,
    rejected: 1,
    needsReview: 1,
    warnings: 1,
  },
};

/** A dry run of a row that is not stored yet. */
export const dryRunAnswerExample: PushAnswer = {
  data: [
    {
      index: 0,
      externalId: 'INV-2',
      status: 'created',
      id: null,
      needsReview: false,
      changed: [],
      warnings: [],
    },
  ],
  meta: { ...NO_COUNTS, received: 1, created: 1, dryRun: true },
};

export const rejectedPushExample: RejectedPush = {
  code: 'all_rows_rejected',
  message: 'Every row was rejected. See the errors of each row in data.',
  requestId: EXAMPLE_REQUEST_ID,
  details: [],
  data: [rejected(0)],
  meta: { ...NO_COUNTS, received: 1, rejected: 1 },
};
