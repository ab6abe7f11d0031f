/**
 * A bank tells of one entry in several messages, in one as a sum and in another as its payments.
 * Whatever comes first is stored; a later file adds nothing to it.
 */

import { count } from '../../core/counts.ts';
import { shownExternalId } from '../../core/push.ts';
import type { Entry, Overlap, Reading } from '../reading/rows.ts';
import { PART } from './payment-ids.ts';

/** Lists the externalIds that begin with a text, of some days. */
export type ListStored = (
  ids: Pick<Overlap, 'from' | 'to'> & { readonly externalIdPrefix: string },
) => AsyncIterable<string>;

/** The keys of entries that are stored as a sum, and of those whose payments are. */
interface Stored {
  readonly sums: ReadonlySet<string>;
  readonly split: ReadonlySet<string>;
}

/** What leaves out of each reading of a file what is stored already in the other way. */
export function withoutStored(list: ListStored | undefined) {
  let known: Promise<Stored> | undefined;
  return async (reading: Reading): Promise<Reading> => {
    const { overlap } = reading;
    if (overlap === undefined || list === undefined) return reading;
    known ??= findStored(overlap, list);
    const { sums, split } = await known;
    if (sums.size + split.size === 0) return reading;
    let leftOut = 0;
    async function* entries(): AsyncGenerator<Entry> {
      for await (const entry of reading.entries) {
        const [whole = '', part] = (shownExternalId(entry.row) ?? '').split(PART);
        if ((isSum(part) ? split : sums).has(whole)) leftOut += 1;
        else yield entry;
      }
    }
    return {
      ...reading,
      entries: entries(),
      get notes() {
        return reading.notes;
      },
      get remarks() {
        const those = `${count(leftOut, 'payment')} stored already`;
        const remark = `Left out: ${those} from another message of the bank, as a sum or in parts.`;
        return [...reading.remarks, ...(leftOut === 0 ? [] : [remark])];
      },
    };
  };
}

async function findStored({ prefixes, from, to }: Overlap, list: ListStored): Promise<Stored> {
  const [sums, split] = [new Set<string>(), new Set<string>()];
  for (const externalIdPrefix of prefixes) {
    for await (const id of list({ externalIdPrefix, from, to })) {
      const [whole = '', part] = id.split(PART);
      (isSum(part) ? sums : split).add(whole);
    }
  }
  return { sums, split };
}

/** Whether an id is that of an entry, also of one of several with the same key. */
function isSum(part: string | undefined): boolean {
  return part === undefined || part === '';
}
