/**
 * The settings (contract 11): their names, types, defaults and descriptions, from which they are
 * read, checked, explained and documented. `npm run build` compiles the schema into `checks.js`
 * (decision 0001).
 */

import { type Static, Type } from 'typebox';

/** The settings by name, in the order of the help, in which `value` takes the place of a value. */
export const Settings = Type.Object(
  {
    db: Type.String({
      pattern: '\\S',
      default: 'budgetd.db',
      value: 'FILE',
      description: 'the database',
      says: 'must be a file',
    }),
    host: Type.String({
      pattern: '\\S',
      default: '127.0.0.1',
      value: 'ADDR',
      description: 'the address to listen on; 127.0.0.1 is this machine only',
      says: 'must be an address of this machine',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 8080,
      value: 'PORT',
      description: 'the port; 0 picks a free one',
      says: 'must be a whole number, 0 to 65535',
    }),
    'trusted-proxies': Type.Array(Type.String({ pattern: '\\S', says: 'must be addresses' }), {
      default: [],
      value: 'ADDR[,ADDR]',
      description:
        'the addresses of your proxies, such as 10.0.0.5 or 10.0.0.0/8: what they say about a ' +
        'client (X-Forwarded-For, X-Forwarded-Proto) is believed, and their connections are not ' +
        'limited per address',
      says: 'must be addresses',
    }),
    log: Type.String({
      pattern: '^(json|text)?$',
      default: '',
      value: 'json|text',
      description:
        'the form of the log on standard error: lines of JSON or of text; without it text on a ' +
        'terminal and JSON elsewhere',
      says: 'must be json or text',
    }),
    metrics: Type.String({
      pattern: '^(\\S+:\\d{1,5})?$',
      default: '',
      value: 'ADDR:PORT',
      description:
        'the address of the metrics for Prometheus, such as 127.0.0.1:9464, which need no key; ' +
        'without it there are none',
      says: 'must be an address and a port, such as 127.0.0.1:9464',
    }),
  },
  { additionalProperties: false },
);
export type Settings = Static<typeof Settings>;
