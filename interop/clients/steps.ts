/** What an integrator does with a generated client: list, report, push, read back. */
export interface Steps {
  /** The names of the projects by their ids. */
  listProjects(): Promise<Record<string, string>>;
  /** The actual of a project; throws a {@link Refused}. */
  report(projectId: string): Promise<number>;
  /** The statuses of the rows. */
  push(): Promise<string[]>;
  /** The amount of a pushed row. */
  readBack(externalId: string): Promise<number | undefined>;
}

/** Connects a generated client to a service. */
export type Connect = (url: string, key: string) => Steps;

/** A refusal with its code. */
export class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The pushed rows, the second of which is rejected. */
export const ROWS = [
  {
    externalId: 'TRY/1',
    date: '2026-02-01',
    description: 'Hall',
    amount: 12.5,
    accountCode: '7500',
  },
  { externalId: 'TRY/2', date: '2026-02-01', description: 'Half a penny', amount: 0.005 },
];
