/** A form is a value: what it reads, what it says is wrong, and its markup, without a service. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fieldList,
  newPassword,
  oneAmong,
  readFields,
} from '../../src/console/components/forms.ts';
import { Form } from '../../src/http/form.ts';
import { readName } from '../../src/operations/input.ts';

const FIELDS = {
  name: { label: 'Name', hint: 'As people say it.', read: (text: string) => readName('It', text) },
  colours: {
    label: 'Colours',
    type: 'checkbox',
    options: [
      ['red', 'Red'],
      ['blue', 'Blue', 'As the sky.'],
    ],
    read: (_: string, texts: readonly string[]) => texts.length,
  },
  size: {
    label: 'Size',
    type: 'select',
    value: 'small',
    options: [
      ['small', 'Small'],
      ['large', 'Large'],
    ],
    read: oneAmong(['small', 'large'], 'Choose a size.'),
  },
} as const;

function send(...fields: [name: string, value: string][]) {
  return readFields(FIELDS, new Form(fields));
}

describe('a form as one value', () => {
  it('returns what its readers return, by the names of its fields', () => {
    const { values } = send(
      ['name', ' Ann '],
      ['colours', 'red'],
      ['colours', 'blue'],
      ['size', 'large'],
    );
    assert.deepEqual(values, { name: 'Ann', colours: 2, size: 'large' });
  });

  it('has no values, but every fault and all that was typed, if one field is wrong', () => {
    const sent = send(['name', ' '], ['colours', 'blue'], ['size', 'huge']);
    assert.equal(sent.values, undefined);
    assert.deepEqual(sent.faults, { name: 'It cannot be blank.', size: 'Choose a size.' });
    const [name, colours, size] = fieldList(FIELDS, sent).map(({ text }) => text);
    assert.match(name ?? '', /aria-invalid="true" aria-describedby="name-hint name-fault"/);
    assert.match(
      colours ?? '',
      /id="colours-2" type="checkbox" name="colours" value="blue" checked/,
    );
    assert.match(size ?? '', /<div class="field wrong">/);
  });

  it('shows what each field has before anything was typed', () => {
    const [name, , size] = fieldList(FIELDS).map(({ text }) => text);
    assert.match(
      name ?? '',
      /<input id="name" name="name" type="text" aria-describedby="name-hint">/,
    );
    assert.match(size ?? '', /<option value="small" selected>/);
  });

  it('never sends a password back', () => {
    const fields = { password: newPassword('New password') };
    const sent = readFields(fields, new Form([['password', 'hunter2']]));
    assert.match(sent.faults['password'] ?? '', /8/);
    assert.doesNotMatch(String(fieldList(fields, sent)[0]?.text), /hunter2/);
  });
});
