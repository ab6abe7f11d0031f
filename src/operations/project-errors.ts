/**
 * Explains what is wrong with the form of a project in a project file (contract 8), or of a list of
 * rules (contract 15). Loads TypeBox, so it is loaded only when the check has failed (decision
 * 0001).
 */

import { explainDate } from '../core/calendar.ts';
import type { Currency } from '../core/currencies.ts';
import { findFaults, type InputFault, showPlace } from '../core/input-errors.ts';
import { BUDGET_MODES } from '../core/projects.ts';
import { MonthlyProject, RuleFile, TotalProject } from './inputs.ts';
import { explainAmount, type Problem, showValue } from './project-words.ts';

/** Explains the form of a project, or of a list of rules, and takes out of it what is wrong. */
export function explainForm(kind: 'project' | 'rules', document: unknown, currency: Currency) {
  const isTotal = Reflect.get(Object(document), 'budgetMode') === 'total';
  const schema = kind === 'rules' ? RuleFile : isTotal ? TotalProject : MonthlyProject;
  const faults = findFaults(schema, document);
  const problems = faults.map((fault): Problem => {
    return [showPlace(fault.steps), explain(fault, currency)];
  });
  // A date has a format and a pattern, a mode a type and a value, with the same message.
  const seen = new Set<string>();
  return {
    problems: problems.filter((problem) => seen.size < seen.add(problem.join(' ')).size),
    rest: faults.some(({ steps }) => steps.length === 0) ? undefined : takeOut(document, faults),
  };
}

function takeOut(document: unknown, faults: readonly InputFault[]): unknown {
  for (const { steps } of faults) {
    const outer = steps
      .slice(0, -1)
      .reduce((found, step) => Reflect.get(Object(found), step), document);
    const last = steps.at(-1) ?? '';
    if (Array.isArray(outer)) outer[Number(last)] = undefined;
    else Reflect.deleteProperty(Object(outer), last);
  }
  return document;
}

function explain(fault: InputFault, currency: Currency): string {
  const { keyword, part, value } = fault;
  const isDate = part['format'] === 'date';
  if (part['const'] !== undefined) return `Use ${listed(BUDGET_MODES)}, not ${showValue(value)}.`;
  switch (keyword) {
    case 'enum':
      return `Use ${listed(part['enum'])}, not ${showValue(value)}.`;
    case 'required':
      return `This is required${isDate ? '. Write it as YYYY-MM-DD.' : ' and cannot be blank.'}`;
    case 'additionalProperties':
      return explainUnknown(fault);
    case 'minLength':
      return 'The text is blank.';
    case 'maxItems':
      return `There are more than ${part['maxItems']}. Remove some.`;
    case 'maxLength':
      return `The text is longer than ${part['maxLength']} characters. Shorten it.`;
  }
  if (isDate && typeof value === 'object')
    return `Write the date as YYYY-MM-DD, not ${showValue(value)}.`;
  if (isDate) return explainDate(String(value));
  return keyword === 'type'
    ? explainType(part, value, currency)
    : 'The text contains a control character. Remove it.';
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((each) => `"${each}"`).join(' or ') : '';
}

function explainUnknown({ part, steps }: InputFault): string {
  const member = steps.at(-1);
  if (part['patternProperties'] !== undefined) {
    return `Write the month as YYYY-MM, not "${member}".`;
  }
  const known = Object.keys(Object(part['properties'])).join(', ');
  return `"${member}" is unknown. Use one of ${known}.`;
}

function explainType(part: InputFault['part'], value: unknown, currency: Currency): string {
  if (part['type'] === 'number') return explainAmount(value, currency) ?? '';
  const { type } = Object(part['items']);
  const texts = type === 'string' ? 'a list such as ["7100"]' : 'a list [ … ]';
  const forms = {
    object: 'a JSON object { … }',
    array: texts,
    string: 'text in quotation marks',
    boolean: 'true or false',
  };
  return `Use ${forms[part['type'] as keyof typeof forms]}, not ${showValue(value)}.`;
}
