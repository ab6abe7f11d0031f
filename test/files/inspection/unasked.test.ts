import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspectBytes } from './dialects/reading.ts';

async function kindsOf(lines: readonly string[]) {
  const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), []);
  return questions.map(({ kind }) => kind);
}

describe('8 csv inspect asks nothing', () => {
  it('about the only fee, if the balance changes by the amount alone', async () => {
    const rows = ['28/01/2016,Rent,-100,0,900', '29/01/2016,Flight,-50.42,0.42,849.58'];
    const lines = ['Date,Memo,Amount,Fee,Balance', ...rows, '31/01/2016,Food,-9.58,0,840'];
    assert.deepEqual(await kindsOf(lines), []);
  });

  it('about a status that means that a payment was made', async () => {
    for (const word of ['Verbucht', 'Exécutée', 'Completado', 'Contabilizzata', 'Zaksięgowano']) {
      const rows = [`28/01/2016,Rent,-50,${word}`, `29/01/2016,Ink,-9,${word}`];
      assert.deepEqual(await kindsOf(['Date,Memo,Amount,Status', ...rows]), [], word);
      const more = ['Date,Memo,Amount,Status', ...rows, '30/01/2016,Tea,-1,Failed'];
      assert.deepEqual(await kindsOf(more), ['notRow'], word);
    }
  });

  it('about a tax, if the name of the amount says that it is included', async () => {
    for (const [tax, amount] of [
      ['TVA', 'Montant TTC'],
      ['MwSt', 'Bruttobetrag'],
      ['VAT', 'Amount (inc VAT)'],
    ]) {
      const rows = ['28/01/2016,Acme,Ink,20.00,120.00', '29/01/2016,Power Ltd,Gas,1.15,6.90'];
      const lines = [`Date,Supplier,Memo,${tax},${amount}`, ...rows];
      assert.deepEqual(await kindsOf(lines), [], amount);
      const plain = [`Date,Supplier,Memo,${tax},Amount`, ...rows];
      assert.deepEqual(await kindsOf(plain), ['amount'], tax);
    }
  });

  it('about the only word in place of a booking date, which stays the date', async () => {
    const rows = ['03.03.2016;02.03.2016;Ink;-5,10', '17.03.2016;16.03.2016;Power;-100,00'];
    for (const other of ['Kontostand;16.03.2016;;387,66', 'vorgemerkt;18.03.2016;Tea;-2,15']) {
      const lines = ['Buchungstag;Wert;Text;Betrag', ...rows, other, ''].join('\n');
      const { questions, mapping, check } = await inspectBytes(Buffer.from(lines), []);
      assert.deepEqual([questions, check?.rows], [[], 2], other);
      assert.deepEqual(mapping?.fields.date, { column: 'Buchungstag', format: 'DD.MM.YYYY' });
    }
  });
});
