/**
 * The settings (contract 11): their names, types, defaults and descriptions, from which they are
 * read, checked, explained and documented. `npm run build` compiles the schema into `checks.js`
 * (decision 0001).
 */

import { type Static, Type } from 'typebox';

/** 0 to 65535. */
const PORT = '(?:6553[0-5]|655[0-2]\\d|65[0-4]\\d\\d|6[0-4]\\d{3}|[1-5]\\d{4}|\\d{1,4})';

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
    'public-url': Type.String({
      pattern: '^(?:https?://[^\\s/?#@]+/?)?$',
      default: '',
      value: 'URL',
      description:
        'the address that people open in a browser, such as https://budget.example.org; without ' +
        'it, the address to listen on. Links begin with this address',
      says: 'must be an address such as https://budget.example.org',
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
    'backup-dir': Type.String({
      pattern: '\\S',
      default: 'backups',
      value: 'DIR',
      description: 'the folder for nightly backups; by default it is beside the database',
      says: 'must be a folder',
    }),
    'backup-at': Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      default: '02:00',
      value: 'HH:MM',
      description: 'when backups are made, in local time',
      says: 'must be a time of the day, 00:00 to 23:59',
    }),
    'backup-keep': Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 14,
      value: 'COUNT',
      description: 'how many nightly backups to keep; 0 makes none',
      says: 'must be a whole number, 0 to 10000',
    }),
    'min-free-disk': Type.Integer({
      minimum: 0,
      default: 100_000_000,
      value: 'BYTES',
      description:
        'free bytes on the disk below which only sign-ins are written; reading still works',
      says: 'must be a whole number of bytes',
    }),
    log: Type.String({
      pattern: '^(json|text)?$',
      default: '',
      value: 'json|text',
      description:
        'the format of the log on standard error, json or text; without it, text on a terminal ' +
        'and JSON elsewhere',
      says: 'must be json or text',
    }),
    'log-addresses': Type.String({
      pattern: '^(yes|no)$',
      default: 'yes',
      value: 'yes|no',
      description:
        'whether the log and the audit log record the addresses of clients, which fail2ban needs',
      says: 'must be yes or no',
    }),
    metrics: Type.String({
      pattern: `^(\\S+:${PORT})?$`,
      default: '',
      value: 'ADDR:PORT',
      description:
        'the address of the metrics for Prometheus, such as 127.0.0.1:9464, which need no key; ' +
        'without it, none are served',
      says: 'must be an address and a port, such as 127.0.0.1:9464',
    }),
  },
  { additionalProperties: false },
);
export type Settings = Static<typeof Settings>;
