import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fixedPart } from '../../src/core/fixed-part.ts';

it('what stays the same in bank texts has no days, months, references or numbers of cards', () => {
  for (const [description, part] of [
    ['CARD PAYMENT TO STAPLES UK 4711 ON 12 OCT', 'card payment to staples uk on'],
    ['Card payment to STAPLES  UK 4712, on 3 November 2026', 'card payment to staples uk on'],
    ['PRLV SEPA EDF Électricité réf. A1B2 févr. 2026', 'prlv sepa edf électricité réf'],
    ['Miete Straße 7, März', 'miete straße'],
    ['HM\u00a0LAND REGISTRY*EFT.0007', 'hm land registry eft'],
    ['E\u0301cole 12/2026', 'école'],
    ['Аренда за май 2026', 'аренда за май'],
    ['000123', ''],
  ] as const)
    assert.equal(fixedPart(description), part);
});
