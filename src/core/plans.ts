/** Plans and what they include; scopes and what each one opens (Spec 5). */

/** Plans from the least to the most (contract 2, step 5). */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** What a plan can include, with the lowest plan that does. */
const FEATURES = { api_access: 'professional' } as const satisfies Record<string, Plan>;
export type Feature = keyof typeof FEATURES;

/** What a new self-hosted organisation has. */
export const DEFAULT_PLAN: Plan = 'professional';

/** Whether the plan includes the feature. */
export function planIncludes(plan: Plan, feature: Feature): boolean {
  return PLANS.indexOf(plan) >= PLANS.indexOf(FEATURES[feature]);
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
