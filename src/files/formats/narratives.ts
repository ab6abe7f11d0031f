/** The texts of payments in MT940 (`:86:`), in the dialects of most banks. */

/** What a text says of a payment. */
export interface Narrative {
  readonly text: string;
  readonly contact: string;
  readonly reference: string;
}

/** Reads a text whose lines are joined; one of another dialect stays as it is. */
export function readNarrative(text: string): Narrative {
  if (/^\d{3}\s*[?>~]\d\d/.test(text)) return readNumbered(text);
  if (/^\/(?:TRTP|TRCD|CNTP|EREF|REMI|NAME|IBAN|MARF|CSID|PREF|ORDP|BENM)\//.test(text)) {
    return readNamed(text);
  }
  return { text, contact: '', reference: '' };
}

/** The most characters of a subfield: a full one continues in the next. */
const FULL = 27;

/** `166?00GUTSCHRIFT?20EREF+1?21SVWZ+RENT?32NAME`, also with other marks. */
function readNumbered(text: string): Narrative {
  const mark = /[?>~]/.exec(text)?.[0] ?? '?';
  const fields = new Map<number, string>();
  for (const part of text.split(mark).slice(1)) {
    const number = /^\d\d/.test(part) ? Number(part.slice(0, 2)) : -1;
    if (number >= 0 && !fields.has(number)) fields.set(number, part.slice(2));
  }
  const join = (...numbers: readonly number[]) => {
    const own = numbers.map((number) => fields.get(number) ?? '').filter((each) => each !== '');
    const joined = own.map((each) => (each.length < FULL ? `${each} ` : each)).join('');
    return joined.replace(/\s+/g, ' ').trim();
  };
  const purpose = join(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 60, 61, 62, 63);
  const keyed = splitKeys(purpose);
  return {
    text: (keyed.get('SVWZ') ?? (keyed.size > 0 ? '' : purpose)) || join(0) || purpose,
    contact: join(32, 33),
    reference: known(keyed.get('EREF') ?? keyed.get('KREF')),
  };
}

/** `EREF+1 SVWZ+Rent` by its keys. */
function splitKeys(text: string): ReadonlyMap<string, string> {
  const keys = /(?:^|\s|(?<=\S{20}))(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT)\+/;
  const parts = text.split(keys);
  const found = new Map<string, string>();
  for (let at = 1; at + 1 < parts.length; at += 2) {
    found.set(parts[at] ?? '', (parts[at + 1] ?? '').trim());
  }
  return found;
}

const NAMES = 'TRTP|TRCD|CNTP|EREF|REMI|NAME|IBAN|BIC|MARF|CSID|PREF|ORDP|BENM|ISDT|PURP|ULTD|ULTC';

/** `/TRTP/SEPA/NAME/Ann/REMI/Rent` and `/CNTP/IBAN/BIC/NAME///REMI/USTD//Rent/`. */
function readNamed(text: string): Narrative {
  const parts = text.split(new RegExp(`(?:^|/)(${NAMES})/`));
  const fields = new Map<string, string>();
  for (let at = 1; at + 1 < parts.length; at += 2) {
    fields.set(parts[at] ?? '', (parts[at + 1] ?? '').trim());
  }
  const party = fields.get('CNTP')?.split('/')[2] ?? '';
  const purpose = (fields.get('REMI') ?? '')
    .replace(/^\/?(?:USTD|STRD\/[A-Z]*)\/*/, '')
    .replace(LAST_SLASHES, '');
  return {
    text: purpose || fields.get('TRTP') || text,
    contact: fields.get('NAME') || party.trim(),
    reference: known(fields.get('EREF')?.replace(LAST_SLASHES, '')),
  };
}

/** Only the first slash of several is tried, or very many would take the square of their number. */
const LAST_SLASHES = /(?<!\/)\/+$/;

/** A reference, unless the words mean that nobody gave one. */
function known(reference = ''): string {
  return /^(?:NOT ?PROVIDED|NONREF)$/i.test(reference) ? '' : reference;
}
