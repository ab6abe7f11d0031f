/** What was found out about a file, with what proves it and the way to change it. */

import type { Evidence, Inspection } from '../../files/index.ts';
import { type Fact, listFacts, type Subject, writeAnswer } from '../../files/index.ts';
import { type Html, html } from '../../http/html.ts';
import { type Column, stackTable, typed, unseen } from '../components/elements.ts';
import { fileAddress, replaceAnswers, type Wish } from './answers.ts';
import { nameDelimiter, nameEncoding, SUBJECTS } from './subjects.ts';

/** The table of all findings; undefined if there are none. */
export function findingsTable(inspection: Inspection, wish: Wish): Html | undefined {
  const facts = listFacts(inspection);
  if (facts.length === 0) return undefined;
  const nameOf = ({ subject, label }: Fact) => {
    return subject === undefined ? label.trim() : SUBJECTS[subject].name;
  };
  const columns: readonly Column<Fact>[] = [
    ['What', '', nameOf],
    ['Found', '', ({ subject, value }) => typed(sayValue(subject, value))],
    ['What proves it', 'whole', (fact) => proofOf(fact, wish)],
    [
      unseen('Change'),
      '',
      (fact) =>
        fact.subject !== undefined &&
        html`<a href="${fileAddress(wish, { change: fact.subject })}">Change${unseen(
          ` ${nameOf(fact)}`,
        )}</a>`,
    ],
  ];
  return stackTable(columns, facts, { label: 'What was found', look: 'proof ' });
}

function sayValue(subject: Subject | undefined, value: string): string {
  if (subject === 'delimiter') return nameDelimiter(value);
  return subject === 'encoding' ? nameEncoding(value) : value;
}

function proofOf({ subject, evidence, note }: Fact, wish: Wish): Html {
  return html`${evidence !== undefined && explain(evidence, subject, wish)}${
    note !== '' && html` ${typed(sentence(note))}`
  }`;
}

function explain(evidence: Evidence, subject: Subject | undefined, wish: Wish): Html {
  if ('missing' in evidence) {
    return evidence.missing === 'currency'
      ? html`The file does not say: the organisation's is assumed.`
      : html`No column is named like one.`;
  }
  if ('said' in evidence) return html`You chose it.`;
  const { because, instead = [], otherColumn } = evidence;
  const ways = instead.map((answer) => {
    const written = writeAnswer(answer);
    const target = replaceAnswers(wish.written, subject ?? 'rejected', [written]);
    const words = written.value.slice(written.value.indexOf('=') + 1);
    const page = fileAddress(wish, { written: target });
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
