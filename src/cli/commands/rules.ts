import type { Currency } from '../../core/currencies.ts';
import { Failure } from '../../core/failures.ts';
import { toMajor } from '../../core/money.ts';
import { nameLine } from '../../core/projects.ts';
import { BY_ACCOUNT_CODE } from '../../core/rules.ts';
import { runRules } from '../../operations/rule-runs.ts';
import * as operations from '../../operations/rules.ts';
import { ruleDocument, ruleListDocument } from '../../operations/rules.ts';
import type { Access } from '../../store/access.ts';
import { type RuleList, type RuleRecord, readRules } from '../../store/rules.ts';
import { moneyText } from '../amounts.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { importFile } from '../json-file.ts';
import { readPositionals } from '../options.ts';
import { printLines, printResult, printTable } from '../output.ts';
import type { ListColumn } from '../table.ts';

const listRules: Command = {
  name: 'rules list',
  summary: 'lists the rules that allocate transactions',
  details: `
The first rule that fits an unallocated transaction takes all of it. By account
code is the last one: it is built in. \`budgetd allocate --by-rules\` runs them.`,
  async run(call) {
    const { access } = await call.openOrganisation();
    printList(call, access, readRules(access));
  },
};

const showRule: Command = {
  name: 'rules show',
  summary: 'shows a rule, and what it would take now',
  usage: 'N',
  details: 'N is the position of the rule in `budgetd rules list`.',
  async run(call) {
    const [text] = readPositionals(call, 'N');
    const { access, actor } = await call.openOrganisation();
    const { currency } = access.organisation;
    const { rules } = readRules(access);
    const rule = rules.find(({ position }) => String(position) === text);
    if (rule === undefined) {
      const help = '`budgetd rules list` shows the number of each.';
      throw new Failure('not_found', `Rule ${text} does not exist. ${help}`);
    }
    const run = await runRules(access, actor(), { isDry: true });
    const taken = run.rules.find(({ id }) => id === rule.id);
    const { transactions: count = 0, amountMinor = 0 } = taken ?? {};
    const wouldTake = { count, amount: toMajor(amountMinor, currency.places) };
    printResult(call, { ...ruleDocument(rule, currency), wouldTake }, () => {
      printRules(call, [rule], currency, true);
      const sum = count === 0 ? '' : `, ${moneyText(amountMinor, currency)}`;
      printLines(call.io, `It would take ${count} now${sum}.`);
    });
  },
};

const importRules: Command = {
  name: 'rules import',
  summary: 'replaces the list of rules',
  usage: 'FILE.json',
  details: `FILE.json is what \`budgetd rules list --json\` prints, or its rules;
- reads standard input. If anything is wrong, nothing is changed.

 { "rules": [ { "name": "Hall rent", "from": "2026-01-01", "until": null,
    "conditions": { "contact": { "is": "Harbour Hall" },
                    "amount": { "from": 10, "to": 500 }, "direction": "out" },
    "shares": [ { "project": "Youth 2026", "line": "7300", "percent": 60 },
                { "project": "Core 2026", "line": "7300", "rest": true } ] } ] }

Conditions: contact and description (is or contains), accountCode (is or
startsWith), projectCode (is), amount (from, to), direction (in or out) and
provider. Name a line by its code, or by its name if it has no code. Optional:
on, from, until, and of the list automatic and byAccountCode.`,
  async run(call) {
    const { access, actor } = await call.openOrganisation();
    const list = await importFile(call, (document) =>
      operations.importRules(access, document, actor()),
    );
    printList(call, access, list);
  },
};

/** A command that switches a setting on or off. */
function switching(setting: 'automatic' | 'byAccountCode', name: string, rest: Command['details']) {
  const command: Command = {
    name: `rules ${name}`,
    summary:
      setting === 'automatic'
        ? 'runs the rules after each push and import, or not'
        : 'includes the rule by account code in runs, or not',
    usage: 'on|off',
    details: rest ?? '',
    async run(call) {
      const [state] = readPositionals(call, 'on|off');
      if (state !== 'on' && state !== 'off') throw new UsageError(`Use on or off, not "${state}".`);
      const { access, actor } = await call.openOrganisation();
      const list = operations.changeRules(access, { [setting]: state === 'on' }, actor());
      printResult(call, { [setting]: list[setting] }, () => printSettings(call, list));
    },
  };
  return command;
}

function printList(call: Call, { organisation }: Access, list: RuleList): void {
  const { currency } = organisation;
  printResult(call, ruleListDocument(list, currency), () => {
    printRules(call, list.rules, currency);
    printSettings(call, list);
  });
}

function printSettings({ io }: Call, { automatic, byAccountCode }: RuleList): void {
  printLines(
    io,
    `The rules run ${automatic ? 'after each push and import' : 'when someone asks'}.`,
    `${BY_ACCOUNT_CODE} ${byAccountCode ? 'is the last rule' : 'is switched off'}.`,
  );
}

function printRules(
  { io }: Call,
  rules: readonly RuleRecord[],
  currency: Currency,
  isWhole = false,
): void {
  const fits = (rule: RuleRecord) => sayConditions(ruleDocument(rule, currency));
  const columns: readonly ListColumn<RuleRecord>[] = [
    { title: 'N', align: 'right', cell: ({ position }) => String(position) },
    { title: 'Rule', min: 12, cell: ({ name, isOn }) => (isOn ? name : `${name} (off)`) },
    ...(isWhole ? [] : [{ title: 'Fits', min: 20, cell: fits }]),
    { title: 'From', rank: 2, cell: ({ from }) => from ?? '' },
    { title: 'Until', rank: 2, cell: ({ until }) => until ?? '' },
    { title: 'Allocated', align: 'right', rank: 1, cell: ({ allocated }) => String(allocated) },
  ];
  const below = (rule: RuleRecord) => {
    const shares = rule.shares.map(({ weight, lineCode, lineName, projectName }) => {
      const part = weight === null ? 'the rest' : `${weight / 100}%`;
      const line = nameLine({ code: lineCode, name: lineName });
      return { banner: `    ${part} to ${line} (${projectName})` };
    });
    return isWhole ? [{ banner: `    ${fits(rule)}`, isWhole }, ...shares] : shares;
  };
  printTable(io, rules, columns, { below, none: 'No rules except the built-in one.' });
}

/** The conditions in one line, such as `contact is "Hall", amount from 10 to 500`. */
function sayConditions({ conditions }: Pick<ReturnType<typeof ruleDocument>, 'conditions'>) {
  const parts = Object.entries(conditions).map(([name, value]) => {
    const word = name.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
    if (typeof value !== 'object') return `${word} ${value}`;
    const own = Object.entries(value).map(([how, what]) => {
      const verb = how.replace('startsWith', 'starts with');
      return what === undefined ? '' : ` ${verb} ${JSON.stringify(what)}`;
    });
    return word + own.join('');
  });
  return parts.join(', ');
}

export const commands = [
  listRules,
  showRule,
  importRules,
  switching('automatic', 'automatic', 'Each run is an entry of the log, and you can undo it.'),
  switching(
    'byAccountCode',
    'by-account-code',
    '`budgetd allocate --by-account-code` works in either case.',
  ),
];
