/** The parameters of each list and of the report as schemas, for the types of the client. */

import {
  AllocationQuery,
  ProjectQuery,
  ReportQuery,
  TransactionQuery,
} from '../../src/api/inputs.ts';
import type { Schema } from './openapi-document.ts';
import { placeOf, wordsOf } from './openapi-operations.ts';
import { SchemaComponents } from './openapi-schemas.ts';

const QUERIES = {
  ProjectQuery: ['The filters of the list of projects.', ProjectQuery],
  AllocationQuery: ["The filters of the list of a project's allocations.", AllocationQuery],
  TransactionQuery: [
    'The filters and the order of the list of transactions. Texts are compared byte for byte.',
    TransactionQuery,
  ],
  ReportQuery: ['The parameters of a report.', ReportQuery],
} as const;

/** What they share: its texts are for calls, which ask for other pages than a request does. */
const SHARED = {
  PageQuery: {
    description: 'The parameters of every list.',
    properties: {
      limit: {
        description:
          'Items per page, 1 to 1000. By default 100 for a single page, 1000 when iterating.',
        type: 'integer',
      },
      cursor: {
        description: 'The `nextCursor` of the previous page. Send the same filters and order.',
        type: 'string',
      },
    },
  },
  Instant: {
    description: 'A moment: a Date, or an RFC 3339 date-time with an offset.',
    type: ['Date', 'string'],
  },
};

/** Each query by name: its members described as in the OpenAPI document. */
export function listQueries(): Record<string, Schema> {
  const components = new SchemaComponents();
  const queries = Object.entries(QUERIES).map(([name, [description, query]]) => {
    const all = Object.entries(query.properties as unknown as Record<string, Schema>);
    const own = all.filter(([member]) => !(member in SHARED.PageQuery.properties));
    const members = own.map(([member, schema]) => {
      const { description: text, default: value } = wordsOf(placeOf(member, schema));
      const { default: _, ...converted } = components.convert(schema);
      return [member, { ...converted, description: text, default: value }] as const;
    });
    const base = own.length < all.length ? 'PageQuery' : undefined;
    return [name, { description, extends: base, properties: Object.fromEntries(members) }] as const;
  });
  return { ...SHARED, ...Object.fromEntries(queries) };
}
