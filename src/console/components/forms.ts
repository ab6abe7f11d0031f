/** Forms: fields with their labels, hints and faults, and the summary of what is wrong. */

import { Failure, type FailureDetail } from '../../core/failures.ts';
import { FORMS } from '../../core/limits.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { HeaderFields, Reply } from '../../http/message.ts';
import { explainPassword } from '../../operations/passwords.ts';
import { markField, type Outcome } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';

/** What is wrong with a form, by the name of the field. */
export type FormFaults = Readonly<Record<string, string>>;

/** One of several choices, or an option of a select; `hint` says what a choice means. */
type Option = readonly [value: string, label: HtmlValue, hint?: HtmlValue];

/** A field: its words, how it looks, and how what was typed is read. Its name is also its id. */
export interface Field<Value = unknown> {
  readonly label: HtmlValue;
  readonly hint?: HtmlValue;
  /** Of `radio` one option can be chosen, of `checkbox` several. */
  readonly type?:
    | 'text'
    | 'textarea'
    | 'search'
    | 'email'
    | 'password'
    | 'date'
    | 'select'
    | 'radio'
    | 'checkbox';
  readonly options?: readonly Option[];
  /** Another control than these, with its name and what describes it. */
  readonly control?: (marks: Html) => Html;
  /** What the browser may fill in, such as `username`. */
  readonly autocomplete?: string;
  /** Whether typing begins here. */
  readonly isFirst?: boolean;
  /** What it has before anything was typed. */
  readonly value?: string | undefined;
  /** Refuses with `invalid_input` what is wrong. Gets all values of a field that has several. */
  readonly read?: (text: string, texts: readonly string[]) => Value;
  /** What comes before a refusal, which is said at the first field. */
  readonly refused?: string;
}

/** A form: its fields by their names, in their order. */
type Fields = Readonly<Record<string, Field>>;

/** What was typed into a form, and what is wrong with it: its page is then shown again. */
export interface Sent {
  readonly faults: FormFaults;
  /** The values by the names of the fields; a form that was not sent has none. */
  readonly given?: Readonly<Record<string, readonly string[]>>;
  /** By default 422 with faults, and 200 without. */
  readonly status?: number | undefined;
  readonly headers?: HeaderFields | undefined;
}

/** What the readers of a form return. */
type ValuesOf<Form extends Fields> = {
  readonly [Name in keyof Form]: Form[Name] extends Field<infer Value> ? Value : never;
};

/** Reads a form. The values are undefined if something is wrong with one of them. */
export function readFields<Form extends Fields>(
  fields: Form,
  form: { values(name: string): readonly string[] },
): Sent & { readonly values: ValuesOf<Form> | undefined } {
  const values: Record<string, unknown> = {};
  const given: Record<string, readonly string[]> = {};
  const faults: Record<string, string> = {};
  for (const [name, { read }] of Object.entries(fields)) {
    const texts = form.values(name);
    given[name] = texts;
    values[name] = readAt(faults, name, () => read?.(texts[0] ?? '', texts));
  }
  return { given, faults, values: isFaulty(faults) ? undefined : (values as ValuesOf<Form>) };
}

/**
 * Reads a form and does what it asks; `again` shows its page with what is wrong with it. What is
 * refused is said at its first field.
 */
export async function takeForm<Form extends Fields>(
  visit: Visit,
  fields: Form,
  again: (visit: Visit, sent: Sent) => Reply | Promise<Reply>,
  work: (values: ValuesOf<Form>) => Outcome | Reply | Promise<Outcome | Reply>,
): Promise<Reply> {
  const { values, ...sent } = readFields(fields, visit.form);
  if (values === undefined) return again(visit, sent);
  const [first = '', { refused = '' } = {}] = Object.entries<Partial<Field>>(fields)[0] ?? [];
  return visit.runOr(
    ({ message, headers }, status) => {
      const faults = { [first]: `${refused}${message}` };
      return again(visit, { ...sent, faults, status, headers });
    },
    () => work(values),
  );
}

/** A reader of one of these values; the message says what to do. */
export function oneAmong<const Value extends string>(values: readonly Value[], message: string) {
  return (text: string): Value => {
    const found = values.find((each) => each === text);
    if (found === undefined) throw new Failure('invalid_input', message);
    return found;
  };
}

/** Reads a text that can be left empty, which is null. */
export function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

/** A reader of a text that cannot be left empty. */
export function required(message: string) {
  return (text: string): string => {
    if (text.trim() === '') throw new Failure('invalid_input', message);
    return text;
  };
}

/** A field for a new password, which `own` texts of the user must not make easy to guess. */
export function newPassword(label: string, own: readonly string[] = []) {
  return {
    label,
    hint: '8 to 128 characters. Three words that you can remember work well.',
    type: 'password',
    autocomplete: 'new-password',
    read: (text: string) => {
      const fault = explainPassword(text, own);
      if (fault !== undefined) throw new Failure('invalid_input', fault);
      return text;
    },
  } as const;
}

/** A field for the password that a user has; `empty` is said if it was not typed. */
export function presentPassword(
  label: string,
  { hint, empty = 'Type your password.' }: { hint?: string; empty?: string } = {},
) {
  const read = required(empty);
  return { label, hint, type: 'password', autocomplete: 'current-password', read } as const;
}

/** The field for it in a form that changes how the user signs in. */
export const CURRENT_PASSWORD = presentPassword('Current password', {
  empty: 'Type your current password.',
});

/** What is sent with a form and not shown; nothing without a value. */
type Unseen = Readonly<Record<string, string | number | undefined>>;

/** A form that changes something. */
export function postForm(
  action: string,
  unseen: Unseen,
  content: HtmlValue,
  marks: Html = html``,
): Html {
  const hidden = Object.entries(unseen).map(([name, value]) => hiddenField(name, value));
  return html`<form${marks} method="post" action="${action}" novalidate>${markField()}${hidden}
${content}</form>`;
}

/** Its fields above its button, and Cancel with a way for it. */
export function narrowForm(
  action: string,
  fields: HtmlValue,
  { button, cancel, hint, isMain = cancel !== undefined }: FormEnd,
): Html {
  const press = html`<button class="${isMain ? 'button primary' : 'button'}">${button}</button>`;
  const content = html`${fields}${
    cancel === undefined ? press : mainActions(button, cancel)
  }${hint !== undefined && html`\n<p class="hint">${hint}</p>`}
`;
  return postForm(action, {}, content, NARROW);
}

/** Whether leaving the page would lose what was typed, for the script to ask. */
export function unsaved(isUnsaved: boolean): Html {
  return html` data-unsaved="${isUnsaved ? 'yes' : 'no'}"`;
}

/** The look of a form whose fields are one below the other. */
const NARROW = html` class="narrow"`;

/** The main button of a page, and the way back without pressing it. */
export function mainActions(button: string, cancel: string, id?: string): Html {
  const mark = id !== undefined && html` id="${id}"`;
  return html`<p class="actions"><button class="button primary"${mark}>${button}</button> <a
class="button" href="${cancel}">Cancel</a></p>`;
}

/** How a form ends; `isMain`: whether its button is the main one of the page. */
interface FormEnd {
  readonly button: string;
  readonly cancel?: string;
  readonly hint?: string;
  readonly isMain?: boolean;
}

/** A question before something that cannot be undone. */
interface Confirmation {
  /** What opens it, and on what: only screen readers need that. */
  readonly open: string;
  readonly on: HtmlValue;
  readonly question: HtmlValue;
  readonly button: string;
}

/** The question, where it is asked, with its form. */
export function askOnce(words: Confirmation, action: string, unseen: Unseen): Html {
  const on = html`<span class="hidden"> ${words.on}</span>`;
  return html`<details class="confirm"><summary>${words.open}${on}</summary><div class="ask">
<p>${words.question}</p>
${postForm(action, unseen, html`<button class="button danger">${words.button}</button>`)}
</div></details>`;
}

/** What is sent with a form and not shown; nothing without a value. */
export function hiddenField(name: string, value: string | number | undefined): Html | undefined {
  if (value === undefined) return undefined;
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export function fieldList(fields: Fields, sent: Sent = UNSENT): readonly Html[] {
  return Object.entries(fields).map(([name, field]) => fieldOf(name, field, sent));
}

/** A form that was not sent. */
export const UNSENT: Sent = { faults: {} };

/** A field with everything around it. */
export function fieldOf(name: string, field: Field, { faults, given }: Sent = UNSENT): Html {
  const { type, value = '' } = field;
  const values = given?.[name] ?? [value];
  if (type === 'radio' || type === 'checkbox') return choicesOf(name, field, { faults, values });
  const isWrong = faults[name] !== undefined;
  const marks = html`${isWrong && html` aria-invalid="true"`}${describers(name, field, isWrong)}`;
  return html`<div class="${isWrong ? 'field wrong' : 'field'}">
<label for="${name}">${field.label}</label>
${hintAndFault(name, field, faults)}${controlOf(name, field, { typed: values[0], marks })}
</div>
`;
}

/** The control of a field that has one, with what was typed and what describes it. */
function controlOf(
  name: string,
  { type = 'text', options = [], autocomplete, isFirst = false, control }: Field,
  { typed = '', marks }: { readonly typed?: string | undefined; readonly marks?: Html },
): Html {
  const named = html`id="${name}" name="${name}"`;
  if (control !== undefined) return control(html`${named}${marks}`);
  if (type === 'select') return selectOf(html`${named}${marks}`, options, typed);
  if (type === 'textarea') return html`<textarea rows="3" ${named}${marks}>${typed}</textarea>`;
  // Passwords are never sent back.
  return html`<input ${named} type="${type}"${
    autocomplete !== undefined && html` autocomplete="${autocomplete}"`
  }${type !== 'password' && typed !== '' && html` value="${typed}"`}${
    isFirst && html` autofocus`
  }${marks}>`;
}

/** A list of options, of which one is chosen. */
export function selectOf(marks: Html, options: readonly Option[], chosen = ''): Html {
  const choices = options.map(([value, text]) => {
    return html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>\n`;
  });
  return html`<select ${marks}>\n${choices}</select>`;
}

/** A form that chooses what is shown. `kept`: what it has no field for, and stays in force. */
export function filterForm(
  path: string,
  label: string,
  fields: Fields,
  {
    given,
    kept,
    button = 'Filter',
  }: { given: (name: string) => string | undefined; kept?: HtmlValue; button?: string },
): Html {
  const inputs = Object.entries(fields).map(([name, field]) => {
    const control = controlOf(name, field, { typed: given(name) });
    return html`<div><label for="${name}">${field.label}</label>${control}</div>\n`;
  });
  return html`<form class="filter" method="get" action="${path}" role="search"
aria-label="${label}">${kept}
${inputs}<button class="button">${button}</button>
</form>`;
}

/** Choices with everything around them. */
function choicesOf(
  name: string,
  field: Field,
  { faults, values }: { readonly faults: FormFaults; readonly values: readonly string[] },
): Html {
  const { type, label, options = [] } = field;
  const isWrong = faults[name] !== undefined;
  const inputs = options.map(([value, text, hint], at) => {
    // The summary of faults leads to the first.
    const id = at === 0 ? name : `${name}-${at + 1}`;
    const checked = values.includes(value) && html` checked`;
    return html`<div class="choice">
<input id="${id}" type="${type}" name="${name}" value="${value}"${checked}>
<label for="${id}">${text}${hint !== undefined && html` <span class="hint">${hint}</span>`}</label>
</div>
`;
  });
  const ids = describers(name, field, isWrong);
  return html`<fieldset class="${isWrong ? 'field wrong' : 'field'}"${ids}>
<legend>${label}</legend>
${hintAndFault(name, field, faults)}${inputs}</fieldset>
`;
}

/** What is between a label and its field. */
function hintAndFault(name: string, { hint }: Pick<Field, 'hint'>, faults: FormFaults): Html {
  const fault = faults[name];
  return html`${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>\n`}${
    fault !== undefined && html`<span class="fault" id="${name}-fault">${fault}</span>\n`
  }`;
}

/** What tells screen readers of the hint and the fault. */
function describers(name: string, { hint }: Pick<Field, 'hint'>, isWrong: boolean): Html {
  const ids = [hint !== undefined && `${name}-hint`, isWrong && `${name}-fault`].filter(Boolean);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}`;
}

/** The names of the faults that the summary of a page lists: the first ones. */
export function listedFaults(faults: FormFaults): ReadonlySet<string> {
  return new Set(Object.keys(faults).slice(0, FORMS.faults));
}

/** Ties a control to what the summary says of it, where nothing beside the control does. */
export function saidAbove(
  name: string,
  faults: FormFaults,
  listed = listedFaults(faults),
): Html | false {
  if (faults[name] === undefined) return false;
  const said = listed.has(name) && html` aria-describedby="${name}-said"`;
  return html` aria-invalid="true"${said}`;
}

/** Whether something is wrong. */
export function isFaulty(faults: FormFaults): boolean {
  for (const _ in faults) return true;
  return false;
}

/** Where a form has what is at a place of a document, and what the form calls that. */
export type FieldPlace = readonly [name: string, label?: HtmlValue];

/** What is wrong with a document, by the fields of its form; the summary shows a message alone. */
export function faultsOfDetails(
  details: readonly FailureDetail[],
  fieldAt: (place: string) => FieldPlace,
): FormFaults {
  const faults: Record<string, string> = {};
  for (const { field, message } of details) {
    const [name, label] = fieldAt(field ?? 'name');
    const start = typeof label === 'string' ? `${label}: ` : '';
    faults[name] = name in faults ? `${faults[name]} ${message}` : `${start}${message}`;
  }
  return faults;
}

/** Reads a value; what its reader refuses is a fault of this field, unless it has one already. */
export function readAt<Value>(
  faults: Record<string, string>,
  name: string,
  read: () => Value,
): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error;
    faults[name] ??= error.message;
    return undefined;
  }
}
