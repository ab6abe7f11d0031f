/** Forms: fields with their labels, hints and faults, and the summary of what is wrong. */

import { Failure } from '../../core/failures.ts';
import { FORM_FAULTS } from '../../core/limits.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** What is wrong with a form, by the name of the field. */
export type Faults = Readonly<Record<string, string>>;

/** A field. Its name is also its id. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: HtmlValue;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  /** What the browser may fill in, such as `username`. */
  readonly autocomplete?: string;
  /** What was typed before. Passwords are never sent back. */
  readonly value?: string | undefined;
  /** Whether typing begins here. */
  readonly isFirst?: boolean;
}

/** An `<input>` with everything around it. */
export function inputField(field: Field, faults: Faults): Html {
  const { name, type = 'text', autocomplete, value = '', isFirst = false } = field;
  const typed = type !== 'password' && value !== '' && html` value="${value}"`;
  const filled = autocomplete !== undefined && html` autocomplete="${autocomplete}"`;
  const input = html`<input id="${name}" name="${name}" type="${type}"${filled}${typed}${
    isFirst && html` autofocus`
  }${marksOf(field, faults)}>`;
  return fieldAround(field, faults, input);
}

/** A field for a new password. */
export function newPasswordField(label: string, faults: Faults): Html {
  const hint = '8 to 128 characters. Three words that you can remember work well.';
  const autocomplete = 'new-password';
  return inputField({ name: 'password', label, hint, type: 'password', autocomplete }, faults);
}

/** A `<select>` with everything around it. */
export function selectField(
  field: Field,
  options: readonly (readonly [value: string, text: string])[],
  faults: Faults,
): Html {
  const { name, value = '' } = field;
  const choices = options.map(
    ([choice, text]) =>
      html`<option value="${choice}"${choice === value && html` selected`}>${text}</option>\n`,
  );
  const marks = marksOf(field, faults);
  return fieldAround(
    field,
    faults,
    html`<select id="${name}" name="${name}"${marks}>\n${choices}</select>`,
  );
}

/** One of several choices. */
export interface Choice {
  readonly value: string;
  readonly label: HtmlValue;
  /** What it means. */
  readonly hint?: HtmlValue;
}

/** A field of choices: one can be chosen, or with `checkbox` several. */
interface ChoicesField extends Pick<Field, 'name' | 'label' | 'hint'> {
  readonly type: 'radio' | 'checkbox';
  readonly chosen: readonly string[];
}

/** Choices with everything around them. */
export function choicesField(
  { name, label, hint, type, chosen }: ChoicesField,
  choices: readonly Choice[],
  faults: Faults,
): Html {
  const isWrong = faults[name] !== undefined;
  const ids = describers({ name, hint }, isWrong);
  const inputs = choices.map((choice, at) => {
    // The summary of faults leads to the first.
    const id = at === 0 ? name : `${name}-${at + 1}`;
    const checked = chosen.includes(choice.value) && html` checked`;
    return html`<div class="choice">
<input id="${id}" type="${type}" name="${name}" value="${choice.value}"${checked}>
<label for="${id}">${choice.label}${
      choice.hint !== undefined && html` <span class="hint">${choice.hint}</span>`
    }</label>
</div>
`;
  });
  return html`<fieldset class="${isWrong ? 'field wrong' : 'field'}"${ids}>
<legend>${label}</legend>
${hintAndFault({ name, hint }, faults)}${inputs}</fieldset>
`;
}

/** What is wrong, with a link to each field. Nothing if nothing is. */
export function faultSummary(faults: Faults): Html | undefined {
  const all = Object.entries(faults);
  if (all.length === 0) return undefined;
  const links = all
    .slice(0, FORM_FAULTS)
    .map(([name, message]) => html`<li><a href="#${name}">${message}</a></li>\n`);
  const more = all.length - links.length;
  return html`<div class="problem" tabindex="-1" role="alert">
<h2>There is a problem</h2>
<ul>
${links}${more > 0 && html`<li>And ${more} more.</li>\n`}</ul>
</div>`;
}

/** The title of a page with a form: `Error: ` in front if something is wrong with it. */
export function titleOf(title: string, faults: Faults): string {
  return isFaulty(faults) ? `Error: ${title}` : title;
}

function fieldAround(field: Field, faults: Faults, control: Html): Html {
  const { name, label } = field;
  return html`<div class="${faults[name] === undefined ? 'field' : 'field wrong'}">
<label for="${name}">${label}</label>
${hintAndFault(field, faults)}${control}
</div>
`;
}

/** What is between a label and its field. */
type Described = Pick<Field, 'name'> & { readonly hint?: HtmlValue };

function hintAndFault({ name, hint }: Described, faults: Faults): Html {
  const fault = faults[name];
  return html`${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>\n`}${
    fault !== undefined && html`<span class="fault" id="${name}-fault">${fault}</span>\n`
  }`;
}

/** What tells screen readers of the hint and the fault. */
function marksOf(field: Field, faults: Faults): Html {
  const isWrong = faults[field.name] !== undefined;
  return html`${isWrong && html` aria-invalid="true"`}${describers(field, isWrong)}`;
}

function describers({ name, hint }: Described, isWrong: boolean): Html {
  const ids = [hint !== undefined && `${name}-hint`, isWrong && `${name}-fault`].filter(Boolean);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}`;
}

/** Without the fields that nothing is wrong with. */
export function faultsOf(found: Readonly<Record<string, string | undefined>>): Faults {
  const faults = Object.entries(found).flatMap(([field, fault]) => {
    return fault === undefined ? [] : [[field, fault] as const];
  });
  return Object.fromEntries(faults);
}

/** Whether something is wrong. */
export function isFaulty(faults: Faults): boolean {
  for (const _ in faults) return true;
  return false;
}

/** What is wrong with a value, as its reader refuses it; undefined if nothing is. */
export function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_input') return error.message;
    throw error;
  }
}
