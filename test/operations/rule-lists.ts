/** Lists of rules, written shortly. */

import { importRules } from '../../src/operations/rules.ts';
import type { Workshop } from '../store/workshop.ts';

export const by = (contact: string) => ({ contact: { contains: contact } });
export const to = (line: string, percent?: number) => {
  return percent === undefined ? { line, rest: true } : { line, percent };
};

/** A list of rules, each with its name, conditions and shares. */
export function write(
  shop: Workshop,
  ...rules: [name: string, conditions: object, ...shares: object[]][]
) {
  const list = rules.map(([name, conditions, ...shares]) => ({ name, conditions, shares }));
  return importRules(shop, list, shop.actor());
}
