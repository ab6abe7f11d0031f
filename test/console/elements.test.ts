import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { budgetBar } from '../../src/console/components/charts.ts';
import { moneyCell } from '../../src/console/components/elements.ts';
import { Reader } from '../../src/console/session/reader.ts';
import { html } from '../../src/http/html.ts';

const GBP = { code: 'GBP', places: 2 };

describe('parts of pages', () => {
  it('say what only the upright line of a bar shows', () => {
    const words = (budgeted: number) => budgetBar(50_00, 74_00, budgeted).text.split('</svg>')[1];
    assert.equal(words(100_00), ' <span class="hidden">74% budgeted to today</span>');
    assert.equal(words(0), '');
  });

  it('mark the word for money in, not its figure', () => {
    const cell = (minor: number) =>
      html`${moneyCell(minor, Reader.of('en-GB', { currency: GBP, timeZone: 'UTC' }))}`.text;
    assert.equal(cell(-130_00), '<span class="in">in</span> −130.00');
    assert.equal(cell(130_00), '130.00');
  });
});
