/** Plans and what each includes; scopes and what each allows (Spec 5). */

/** Plans from the least to the most (contract 2, step 5). */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** The plan of a new self-hosted organisation. */
export const DEFAULT_PLAN: Plan = 'professional';

/** The lowest plan that includes API access. */
const ACCESS_PLAN: Plan = 'professional';

/** Why a plan has no API access, and how to get it; undefined if it has. */
export function explainNoAccess(plan: Plan): string | undefined {
  if (PLANS.indexOf(plan) >= PLANS.indexOf(ACCESS_PLAN)) return undefined;
  const problem = `The ${plan} plan does not include API access.`;
  return `${problem} Run \`budgetd plan set ${ACCESS_PLAN}\` where the service runs.`;
}

/** What a key can be allowed to do (Spec 5.6). */
export const SCOPES = [
  'projects:read',
  'reports:read',
  'allocations:read',
  'transactions:read',
  'transactions:write',
] as const;
export type Scope = (typeof SCOPES)[number];
