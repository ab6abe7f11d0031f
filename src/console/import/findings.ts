/** What was found out about a file, with what proves it and the way to change it. */

import type { Evidence, Inspection } from '../../files/index.ts';
import { type Fact, listFacts, type Subject, writeAnswer } from '../../files/index.ts';
import { type Html, html } from '../../http/html.ts';
import { stackTable, typed } from '../components/elements.ts';
import { fileAddress, replaceAnswers, SUBJECTS, type Wish } from './answers.ts';
import { sayValue } from './values.ts';

const HEADS = ['What', 'Found', 'What proves it', ['Change', 'hidden']] as const;

/** The table of all findings; undefined if there are none. */
export function findingsTable(inspection: Inspection, wish: Wish): Html | undefined {
  const facts = listFacts(inspection);
  if (facts.length === 0) return undefined;
  const rows = facts.map((fact) => findingRow(fact, wish));
  return stackTable({ label: 'What was found', look: 'proof ', heads: HEADS, rows });
}

/** How many findings there are. */
export function countFindings(inspection: Inspection): number {
  return listFacts(inspection).length;
}

function findingRow({ subject, label, value, evidence, note }: Fact, wish: Wish): Html {
  const name = subject === undefined ? label.trim() : SUBJECTS[subject];
  const change = subject !== undefined && fileAddress({ ...wish, change: subject });
  return html`<tr role="row">
<th role="rowheader" scope="row">${name}</th>
<td role="cell">${typed(sayValue(subject, value))}</td>
<td role="cell" class="whole">${
    evidence !== undefined && explain(evidence, subject, wish)
  }${note !== '' && html` ${typed(sentence(note))}`}</td>
<td role="cell">${
    change !== false && html`<a href="${change}">Change<span class="hidden"> ${name}</span></a>`
  }</td></tr>
`;
}

const MISSING = {
  currency: "The file does not say: the organisation's is assumed.",
  contact: 'No column is named like one.',
  accountCode: 'No column is named like one.',
} as const;

function explain(evidence: Evidence, subject: Subject | undefined, wish: Wish): Html {
  if ('missing' in evidence) return html`${MISSING[evidence.missing]}`;
  if ('said' in evidence) return html`You chose it.`;
  const { because, instead = [], otherColumn } = evidence;
  const ways = instead.map((answer) => {
    const written = writeAnswer(answer);
    const target = replaceAnswers(wish.written, subject ?? 'rejected', [written]);
    const words = written.value.slice(written.value.indexOf('=') + 1);
    const page = fileAddress({ ...wish, written: target, change: undefined });
    return html` <a href="${page}">Use ${typed(words)} instead</a>`;
  });
  const other = otherColumn !== undefined && ' Change it if other columns say more.';
  return html`${typed(sentence(because))}${ways}${other}`;
}

/** A clause as a sentence. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!…]$/.test(begun) ? begun : `${begun}.`;
}
