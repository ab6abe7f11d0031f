/** The addresses of the pages to which other pages lead. */
export const PATHS = {
  list: '/transactions',
  byCode: '/rules/run?only=code',
  /** Where a line is chosen that is to claim a code. */
  claim: '/transactions/by-code/claim',
  review: '/review',
  /** The transactions that were recoded after they were allocated. */
  recoded: '/review/recoded',
  projects: '/projects',
  rules: '/rules',
  import: '/import',
  /** Where a session changes its organisation. */
  organisation: '/account/organisation',
  /** Where a user without one is led if the organisation requires it. */
  secondFactor: '/account/second-factor',
} as const;
