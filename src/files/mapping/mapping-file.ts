/**
 * Reads a mapping file, written by `csv inspect` or by hand: `{ "delimiter": ";", "decimal": ",",
 * "fields": { "externalId": "Trans No", "date": { "column": "Paid Date", "format": "DD/MM/YYYY" },
 * "amount": { "column": "Amount", "negate": true } } }`. An unknown member is an error.
 */

import { checks } from '../checks.js';
import { MappingError } from '../problems.ts';
import { requireDateFormat } from '../values/date-formats.ts';
import { listFields, type Mapping, type NotRowRule, ruleOf } from './mapping.ts';
import { readMappingValue } from './mapping-values.ts';

/** Reads the document of a mapping file. Rejects with MappingError. */
export async function readMapping(document: unknown): Promise<Mapping> {
  if (!checks.MappingDocument(document)) throw await explainDocument(document);
  for (const name of ['delimiter', 'encoding'] as const) {
    const text = document[name];
    if (text !== undefined) readMappingValue(name, text);
  }
  const { fields, currency, status, notRows, bankAccounts } = document;
  const mapping = {
    ...document,
    ...trimTexts({ fields, currency, status, notRows, bankAccounts }),
  };
  refuseContradictions(mapping);
  for (const rule of mapping.notRows ?? []) refuseUnclear(rule);
  return mapping;
}

/** Loads TypeBox, which valid mappings do not need. */
async function explainDocument(document: unknown): Promise<MappingError> {
  const { explainInput } = await import('../../core/input-errors.ts');
  const { MappingDocument } = await import('../inputs.ts');
  const sentences = explainInput(MappingDocument, document).map(({ place, message }) => {
    return `${place || 'the document'} ${message}.`;
  });
  return new MappingError(sentences.slice(0, 1).join(' '));
}

/** Names and words without white space around them. */
function trimTexts<Part extends object>(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (_, value: unknown) => {
    return typeof value === 'string' ? value.trim() : value;
  });
}

/** What the schema of a field cannot express: members that exclude or need each other. */
function refuseContradictions(mapping: Mapping): void {
  for (const field of listFields(mapping)) {
    const rule = ruleOf(mapping, field);
    const { column, columns, made, format, negate, indicator } = rule;
    if (format !== undefined) requireDateFormat(format);
    const isTwo = rule.out !== undefined && rule.in !== undefined;
    const ways = [column, columns, made, isTwo || undefined].filter((way) => way !== undefined);
    if (ways.length !== 1) {
      const two = field === 'amount' ? ', or one for "out" and one for "in"' : '';
      throw new MappingError(`fields.${field} must name its column${two}.`);
    }
    if (column !== undefined && indicator !== undefined && negate !== undefined) {
      throw new MappingError('fields.amount: use either indicator or negate, not both.');
    }
  }
}

/** A rule for records that are not rows has one form. */
function refuseUnclear(rule: NotRowRule): void {
  const members = Object.keys(rule).sort().join();
  if (['begins', 'sum', 'text', 'column,is'].includes(members)) return;
  const forms = '{"begins": …}, {"sum": true}, {"text": true} or {"column": …, "is": …}';
  throw new MappingError(`notRows: each must be ${forms}.`);
}
