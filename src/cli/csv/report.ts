/** The findings of an inspection as a JSON document (`--json`). */

import type { Total } from '../../inspect/check.ts';
import type { Evidence, Finding, Question } from '../../inspect/found.ts';
import type { Identity } from '../../inspect/identities.ts';
import type { Inspection, Named } from '../../inspect/inspect.ts';
import { showDelimiter } from '../../inspect/layout.ts';
import { listMade } from '../../inspect/mapping-document.ts';
import { nameColumn } from '../../rows/columns.ts';
import { writeSum } from '../../rows/exact-sums.ts';
import { worded } from '../advice.ts';
import { showChoice } from './page.ts';

/** Where the mapping was written, and the command to run next. */
export interface Written {
  readonly mapFile: string | null;
  readonly push: string | null;
}

/** The document of `--json`. */
export function toReport(inspection: Inspection, written: Written): Record<string, unknown> {
  const { name, encoding, layout, check, questions, mapping } = inspection;
  return {
    file: name,
    encoding: show(encoding, (value) => value),
    delimiter: show(layout?.delimiter, showDelimiter),
    header: show(layout?.headerLine, (line) => (line === 0 ? null : line)),
    preamble: (layout?.preamble ?? []).map(({ line }) => line),
    ...listColumns(inspection),
    rows: check?.rows ?? inspection.rows ?? null,
    moneyOut: showTotal(check?.moneyOut),
    moneyIn: showTotal(check?.moneyIn),
    from: check?.from ?? null,
    to: check?.to ?? null,
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

function listColumns(inspection: Inspection): Record<string, unknown> {
  const { date, dateFormat, amount, decimal, sign, currency, cellCurrency } = inspection;
  const { texts = {}, externalId } = inspection;
  return {
    date: showNamed(date),
    dateFormat: show(dateFormat, ({ text }) => text),
    amount: showNamed(amount),
    decimal: show(decimal, (signs) => signs.decimal ?? null),
    thousands: show(decimal, (signs) => signs.thousands ?? null),
    shape: show(sign, ({ shape }) => shape),
    currency:
      currency?.value === undefined
        ? show(cellCurrency, (text) => text ?? null)
        : show(currency, (guard) => guard?.is ?? null),
    description: showNamed(texts.description),
    contact: showNamed(texts.contact),
    accountCode: showNamed(texts.accountCode),
    externalId: show(externalId, (identity) => nameIdentity(identity, inspection)),
  };
}

function nameIdentity(identity: Identity, { found, layout }: Inspection): unknown {
  if ('column' in identity) return nameColumn(identity.column, layout?.names ?? []);
  return { made: found === undefined ? null : listMade(found) };
}

function show<Value>(
  finding: Finding<Value> | undefined,
  how: (value: Value) => unknown,
): { value: unknown; evidence: Evidence } | null {
  return finding === undefined ? null : { value: how(finding.value), evidence: finding.evidence };
}

function showNamed(named: Named | undefined) {
  return named === undefined ? null : { columns: named.columns, evidence: named.evidence };
}

/** Money in is negative (Spec 2.5). */
function showTotal(total: Total | undefined) {
  return total === undefined ? null : { rows: total.rows, total: Number(writeSum(total.sum)) };
}

function showQuestion({ id, text, choices, other }: Question) {
  return {
    id,
    text,
    choices: choices.map((choice) => ({ option: showChoice(choice), meaning: choice.meaning })),
    other: other ?? null,
  };
}
