/** Every parameter: valid, wrong, empty, repeated and unknown (contract 2, step 7). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toFilter } from '../../src/api/filters.ts';
import { PARAMETERS } from '../../src/api/parameters.ts';
import { CONTRACT_ENDPOINTS, type ContractEndpoint, pathOf } from './contract-table.ts';
import { only, project, row, startApi } from './harness.ts';
import { type Ask, PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds } = api;
const id = only(service.projects.import(pounds.id, project('Main'))).projectId;

/** What each kind of parameter accepts and refuses (contract 4). Values are not encoded. */
interface Kind {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  /** Whether it can be repeated. */
  readonly isList?: boolean;
}

const DATE: Kind = {
  right: ['2026-01-31', '1900-01-01', '2199-12-31', '2024-02-29', '2000-02-29'],
  wrong: [
    ...['2026-02-30', '2025-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-01'],
    ...['2026-01-00', '2026-01-32', '1899-12-31', '2200-01-01', '0000-01-01', '10000-01-01'],
    ...['2026-1-1', '20260131', '2026/01/31', '31/01/2026', '2026-01', '2026', '26-01-31'],
    ...['2026-01-31T00:00:00Z', '2026-01-31 ', ' 2026-01-31', '2026-01-31\n', 'today', '-1'],
    ...['２０２６-０１-３１', '2026-01-31Z', '2026-W05-6', '2026-031', '1.7e12'],
  ],
};
const MONTH: Kind = {
  right: ['2026-01', '1900-01', '2199-12'],
  wrong: [
    ...['2026-1', '2026-13', '2026-00', '202601', '2026/01', '01/2026', '2026', '26-01', 'now'],
    ...['2026-01-31', '1899-12', '2200-01', '2026-01 ', ' 2026-01', '2026-01\n', '２０２６-０１'],
  ],
};
const INSTANT: Kind = {
  right: [
    ...['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.123456789Z'],
    ...['2026-01-31T00:00:00+14:00', '2026-01-31T23:59:59-12:00', '2026-01-31T12:00:00+00:00'],
    ...['2026-01-31T12:00:00-00:00', '2026-01-31t12:00:00z', '2026-06-30T23:59:60Z'],
    ...['1900-01-01T00:00:00Z', '2199-12-31T23:59:59.999Z', '2024-02-29T12:00:00+05:45'],
  ],
  wrong: [
    ...['2026-01-31', '2026-01-31T12:00:00', '2026-01-31T12:00Z', '2026-01-31T12Z', '12:00:00Z'],
    ...['2026-01-31T24:00:00Z', '2026-01-31T12:60:00Z', '2026-01-31T12:00:61Z', '1769860800'],
    ...['2026-02-30T12:00:00Z', '2026-13-01T12:00:00Z', '2025-02-29T12:00:00Z', 'now', '0'],
    ...['2026-01-31T12:00:00+1:00', '2026-01-31T12:00:00+0100', '2026-01-31T12:00:00+24:00'],
    ...['2026-01-31T12:00:00+01:60', '2026-01-31T12:00:00+01', '2026-01-31T12:00:00.Z'],
    ...['2026-01-31T12:00:00,5Z', '2026-01-31_12:00:00Z', '20260131T120000Z', 'yesterday'],
    ...['1899-12-31T23:59:59Z', '2200-01-01T00:00:00Z', '+002026-01-31T12:00:00Z'],
    ...[' 2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z ', 'Sat, 31 Jan 2026 12:00:00 GMT'],
    ...['2026-01-31T12:00:00 01:00', '2026-01-31T12:00:00\u221201:00', '2026-01-31T1２:00:00Z'],
  ],
};
const LIMIT: Kind = {
  right: ['1', '2', '100', '999', '1000'],
  wrong: [
    ...['0', '-1', '1001', '10000', '99999999999999999999', '1.5', '1.0', '1e2', '0x10', 'ten'],
    ...['+5', ' 5', '5 ', '5,0', 'NaN', 'Infinity', 'null', '٥', '５', 'true'],
  ],
};
const IDENTIFIER: Kind = {
  right: ['prj_0000000001', 'bln_0000000001', 'txn_0000000001', 'x', '1', "'", '%', 'é', ' '],
  wrong: [],
};
const TEXT: Kind = {
  right: [
    'x',
    ' ',
    'a b',
    '%',
    '_',
    '\\',
    '"',
    "' or 1=1 --",
    'é',
    '😀',
    '\u0000',
    'x'.repeat(2000),
  ],
  wrong: [],
};
const oneOf = (...values: string[]): Kind => ({
  right: values,
  wrong: [
    ...values.flatMap((value) => [value.toUpperCase(), ` ${value}`, `${value} `, value.slice(1)]),
    ...['x', 'null', '0', values.join(' ')],
  ],
});

const STATUSES = ['excluded', 'needs_review', 'allocated', 'partially_allocated', 'unallocated'];
const textOf = (characters: number): Kind => ({
  right: ['x', ' ', '%', 'é😀', 'x'.repeat(characters)],
  wrong: ['', 'x'.repeat(characters + 1)],
});

const KINDS: Readonly<Record<string, Kind>> = {
  from: DATE,
  to: DATE,
  updatedSince: INSTANT,
  limit: LIMIT,
  parentProjectId: IDENTIFIER,
  projectId: IDENTIFIER,
  budgetLineId: IDENTIFIER,
  transactionId: IDENTIFIER,
  externalId: TEXT,
  accountCode: TEXT,
  contact: TEXT,
  reference: textOf(255),
  bankAccount: textOf(64),
  projectCode: textOf(64),
  externalIdPrefix: textOf(255),
  q: TEXT,
  granularity: oneOf('monthly', 'quarterly'),
  order: oneOf('date', 'updatedAt'),
  provider: oneOf('api', 'csv', 'manual'),
  dryRun: oneOf('true', 'false'),
  recoded: oneOf('true', 'false'),
  id: {
    isList: true,
    right: ['txn_0000000001', 'txn_0000000001,txn_0000000002', 'x', 'x,txn_1', manyIds(100)],
    wrong: [',', 'x,', ',x', 'x,,x', manyIds(101)],
  },
  status: {
    isList: true,
    right: [...STATUSES, STATUSES.join(), 'excluded,excluded', 'unallocated,allocated'],
    wrong: [
      ...[',', 'allocated,', ',allocated', 'allocated,,excluded', 'allocated, excluded'],
      ...['Allocated', 'open', 'allocated;excluded', 'needs-review', 'all', '*', 'allocated|x'],
    ],
  },
};

/** `from` and `to` are days of transactions, and months of a report. */
function kindOf({ path }: ContractEndpoint, name: string): Kind | undefined {
  return path.endsWith('/report') && KINDS[name] === DATE ? MONTH : KINDS[name];
}

function manyIds(count: number): string {
  return Array.from({ length: count }, (_, index) => `txn_${index}`).join();
}

const PUSH_NAMES = Object.keys(PARAMETERS.TransactionQuery).join(', ');
const ALL_NAMES = [...new Set(CONTRACT_ENDPOINTS.flatMap(({ parameters }) => parameters))];

function askOf(endpoint: ContractEndpoint, query: string): Ask {
  const target = `${pathOf(endpoint, id)}?${query}`;
  if (endpoint.method === 'GET') return { target };
  return { target, body: { rows: [row('P-1')] } };
}

/** The fields in the details of a refusal. */
async function refusedFields(endpoint: ContractEndpoint, query: string): Promise<unknown[]> {
  const { details, message } = await api.refuse(askOf(endpoint, query), 400, 'invalid_parameter');
  assert.ok(details.every(({ code }) => code === 'invalid_parameter'));
  assert.ok(message.includes(String(details[0]?.field)), message);
  return details.map(({ field }) => field);
}

const encode = (value: string) => encodeURIComponent(value);

for (const endpoint of CONTRACT_ENDPOINTS) {
  describe(`2(7) ${endpoint.method} ${endpoint.path}`, () => {
    for (const name of endpoint.parameters) {
      const kind = name === 'cursor' ? TEXT : kindOf(endpoint, name);
      const { right = [], wrong = [], isList = false } = kind ?? {};
      if (name !== 'cursor') {
        test(`${name} accepts valid values in any encoding`, async () => {
          for (const value of right) {
            const every = [...Buffer.from(value)].map((byte) => {
              return `%${byte.toString(16).padStart(2, '0')}`;
            });
            for (const text of [
              encode(value),
              every.join(''),
              encode(value).replaceAll('%20', '+'),
            ]) {
              const { status, body } = await api.ask(askOf(endpoint, `${name}=${text}`));
              assert.equal(status, 200, `${name}=${text}: ${body}`);
            }
          }
        });
      }

      test(`${name} refuses wrong values`, async () => {
        for (const value of ['', ...wrong]) {
          const found = await refusedFields(endpoint, `${name}=${encode(value)}`);
          assert.deepEqual(found, [name], value);
        }
        assert.deepEqual(await refusedFields(endpoint, name), [name]);
      });

      const [first = '', second = first] = right;
      if (isList) {
        test(`${name} can be repeated, also together with commas`, async () => {
          for (const query of [
            `${name}=${first}&${name}=${second}`,
            `${name}=${first}&${name}=${first}`,
            `${name}=${first},${second}&${name}=${first}`,
          ]) {
            assert.equal((await api.ask(askOf(endpoint, query))).status, 200, query);
          }
          for (const value of ['', ...wrong]) {
            const query = `${name}=${first}&${name}=${encode(value)}`;
            assert.deepEqual(await refusedFields(endpoint, query), [name]);
          }
        });
        continue;
      }

      test(`${name} is refused when it is sent twice, even with the same value`, async () => {
        for (const [a, b] of [
          [first, first],
          [first, second],
          [first, ''],
          ['', first],
        ] as const) {
          const query = `${name}=${encode(a)}&${name}=${encode(b)}`;
          assert.deepEqual(await refusedFields(endpoint, query), [name]);
        }
        const hidden = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
        const query = `${name}=${encode(first)}&${hidden}=${encode(first)}`;
        assert.deepEqual(await refusedFields(endpoint, query), [name]);
      });
    }

    test('any other parameter is refused', async () => {
      const known = endpoint.parameters;
      const others = ALL_NAMES.filter((name) => !known.includes(name));
      const near = known.flatMap((name) => [
        name.toUpperCase(),
        `${name}[]`,
        `${name} `,
        ` ${name}`,
      ]);
      const odd = ['x', 'page', 'offset', 'organisationId', 'tenant', '__proto__', 'constructor'];
      for (const name of [
        ...others,
        ...near,
        ...odd,
        'toString',
        'hasOwnProperty',
        '',
        'é',
        '\0',
      ]) {
        assert.deepEqual(await refusedFields(endpoint, `${encode(name)}=1`), [name]);
      }
    });

    test('the details name every wrong parameter', async () => {
      const strict = endpoint.parameters.filter((name) => {
        const { right = [], wrong = [] } = kindOf(endpoint, name) ?? {};
        // A text can be anything.
        return name !== 'id' && wrong.length > 0 && !right.includes('%');
      });
      const names = [...strict, 'one', 'two'];
      const query = names.map((name) => `${name}=?!`).join('&');
      assert.deepEqual(await refusedFields(endpoint, query), names);
    });

    test('empty parts of a query are ignored', async () => {
      for (const query of ['', '&', '&&&']) {
        assert.equal((await api.ask(askOf(endpoint, query))).status, 200, query);
      }
    });
  });
}

test('all parameters are accepted together', async () => {
  for (const endpoint of CONTRACT_ENDPOINTS) {
    const pairs = endpoint.parameters.flatMap((name) => {
      const [value] = kindOf(endpoint, name)?.right ?? [];
      return value === undefined ? [] : [`${name}=${encode(value)}`];
    });
    assert.equal((await api.ask(askOf(endpoint, pairs.join('&')))).status, 200);
  }
});

test('2(7): the message says why a date is wrong or a list too long', async () => {
  for (const [query, message] of [
    ['from=2026-02-29', 'must be a real date. There is no 29 February 2026.'],
    ['from=2026-13-01', 'must be a real date. There is no month 13. Write the date as YYYY-MM-DD.'],
    ['from=2200-01-01', 'must be a real date. The year 2200 is not between 1900 and 2199.'],
    ['from=31/01/2026', 'must be a real date. Write the date as YYYY-MM-DD, not "31/01/2026".'],
    ['updatedSince=2026-01-31T12:00:00+01:00', 'must have its + as %2B: alone it is a space.'],
    ['updatedSince=2026-02-29T12:00:00Z', 'must be a real date. There is no 29 February 2026.'],
    [`id=${manyIds(60)}&id=${manyIds(41)}`, 'must have at most 100 values, not 101.'],
    [`projectCode=${'x'.repeat(65)}`, 'must have at most 64 characters.'],
    ...['id[]', 'id%5B%5D', 'id[0]', 'id[1]'].map((name) => {
      return [`${name}=A`, 'is sent without brackets: id=A&id=B or id=A,B.'];
    }),
    ['from[]=2026-01-01', `is unknown. This endpoint accepts ${PUSH_NAMES}.`],
    ['x[]=1', `is unknown. This endpoint accepts ${PUSH_NAMES}.`],
  ]) {
    const refusal = await api.refuse({ target: `${PUSH}?${query}` }, 400, 'invalid_parameter');
    assert.equal(refusal.details[0]?.message, message);
  }
});

test('2(7): the details name the first 20 of many wrong parameters', async () => {
  const query = Array.from({ length: 50 }, (_, index) => `unknown${index}=1`).join('&');
  const target = `/api/v1/projects?${query}`;
  const { details } = await api.refuse({ target }, 400, 'invalid_parameter');
  assert.equal(details.length, 20);
});

test('every parameter of a list becomes a part of its filter', () => {
  const namesOf = (parameters: object) =>
    Object.fromEntries(Object.keys(parameters).map((name) => [name, name])) as never;
  // The console has filters of its own.
  const partsOf = (filter: object) => {
    return Object.values(filter)
      .filter((part) => part !== undefined)
      .sort();
  };
  const transactions = toFilter(namesOf(PARAMETERS.TransactionQuery));
  assert.deepEqual(partsOf(transactions), Object.keys(PARAMETERS.TransactionQuery).sort());
  const projects = toFilter(namesOf(PARAMETERS.ProjectQuery));
  assert.deepEqual(partsOf(projects), Object.keys(PARAMETERS.ProjectQuery).sort());
});
