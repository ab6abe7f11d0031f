/** Plans and what each includes; scopes and what each allows (Spec 5). */

/** Plans from the least to the most (contract 2, step 5). */
export const PLANS = ['free', 'starter', 'professional', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** What a plan can include, and the lowest plan that does. */
const FEATURES = { api_access: 'professional' } as const satisfies Record<string, Plan>;
type Feature = keyof typeof FEATURES;

/** The plan of a new self-hosted organisation. */
export const DEFAULT_PLAN: Plan = 'professional';

/** Whether the plan includes the feature. */
export function planIncludes(plan: Plan, feature: Feature): boolean {
  return PLANS.indexOf(plan) >= PLANS.indexOf(FEATURES[feature]);
}

const FEATURE_NAMES: Readonly<Record<Feature, string>> = { api_access: 'API access' };

/** Says that the plan lacks the feature, and how to get it. */
export function explainPlan(plan: Plan, feature: Feature): string {
  const problem = `The ${plan} plan does not include ${FEATURE_NAMES[feature]}.`;
  return `${problem} Run \`budgetd plan set ${FEATURES[feature]}\` where the service runs.`;
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
