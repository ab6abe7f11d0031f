/** The findings of an inspection as a JSON document (`--json`). */

import type { Finding, Inspection, Question, Total } from '../../files/index.ts';
import { columnsOf, showDelimiter, titlesOf, writeSum } from '../../files/index.ts';
import { worded } from '../advice.ts';
import { explainEvidence, otherWays, showChoice } from './options.ts';

/** Where the mapping was written, and the command to run next. */
interface Written {
  /** The mapping of an earlier file that the file was read with. */
  readonly readBy: string | null;
  readonly mapFile: string | null;
  readonly push: string | null;
}

/** The document of `--json`. */
export function toReport(inspection: Inspection, written: Written): Record<string, unknown> {
  const { name, encoding, layout, check, questions, mapping } = inspection;
  return {
    file: name,
    format: inspection.table?.format ?? null,
    bankAccounts: inspection.table?.sayings ?? [],
    notes: [...(inspection.table?.warnings ?? []), ...(inspection.table?.leftOut ?? [])],
    encoding: show(encoding, (value) => value),
    delimiter: show(inspection.table ? undefined : layout?.delimiter, showDelimiter),
    header: show(layout?.headerLine, (line) => (line === 0 ? null : line)),
    preamble: (layout?.preamble ?? []).map(({ line }) => line),
    ...listColumns(inspection),
    rows: check?.rows ?? inspection.facts?.rows ?? null,
    moneyOut: showTotal(check?.moneyOut),
    moneyIn: showTotal(check?.moneyIn),
    from: check?.from ?? null,
    to: check?.to ?? null,
    repeated: { count: check?.repeated.total ?? 0, first: check?.repeated.items ?? [] },
    notRows: check?.notRows ?? [],
    rejected: {
      count: check?.refusedCount ?? 0,
      first: (check?.refused ?? []).map(({ line, problems }) => ({
        line,
        errors: problems.map(worded),
      })),
    },
    questions: questions.map(showQuestion),
    mapping: mapping ?? null,
    ...written,
  };
}

const CODES = ['accountCode', 'reference', 'bankAccount', 'projectCode'] as const;
const NAMED = ['description', 'contact', ...CODES] as const;

function listColumns(inspection: Inspection): Record<string, unknown> {
  const { date, dateFormat, amount, decimal, sign, currency, cellCurrency } = inspection;
  const { externalId, mapping } = inspection;
  const made = mapping === undefined ? null : columnsOf(mapping, 'externalId');
  return {
    date: show(date, (column) => titlesOf([column]), 'columns'),
    dateFormat: show(dateFormat, ({ text }) => text),
    amount: showNamed(amount),
    decimal: show(decimal, (signs) => signs.decimal ?? null),
    thousands: show(decimal, (signs) => signs.thousands ?? null),
    shape: show(sign, ({ shape }) => shape),
    currency:
      currency?.value === undefined
        ? show(cellCurrency, (text) => text ?? null)
        : show(currency, (guard) => guard?.is ?? null),
    ...Object.fromEntries(NAMED.map((name) => [name, showNamed(inspection[name])])),
    externalId: show(externalId, (column) => column?.title ?? { made }),
  };
}

function show<Value>(
  finding: Finding<Value> | undefined,
  how: (value: Value) => unknown,
  name = 'value',
) {
  if (finding === undefined) return null;
  const { value, evidence } = finding;
  const { line, text } = 'because' in evidence ? evidence : { line: null, text: '' };
  return { [name]: how(value), evidence: { line, text, because: explainEvidence(evidence) } };
}

function showNamed(finding: Finding<readonly { readonly title: string }[]> | undefined) {
  return show(finding, titlesOf, 'columns');
}

/** Money in is negative (Spec 2.5). */
function showTotal(total: Total | undefined) {
  return total === undefined ? null : { rows: total.rows, total: Number(writeSum(total.sum)) };
}

function showQuestion(question: Question) {
  const { kind, text, choices } = question;
  return {
    id: kind,
    text,
    choices: choices.map((choice) => {
      const { meaning = null, examples = [] } = choice;
      return { option: showChoice(choice), meaning, examples };
    }),
    other: otherWays(question) ?? null,
  };
}
