/**
 * A process whose writes `shim.c` records: it works on a database, restarts, makes backups and puts
 * one back. `writer.js FILE SEED ACTS [SYNCHRONOUS]` says what it begins and what is done.
 */

import { createService } from '../../../src/index.ts';
import { backUp, restoreBackup } from '../../../src/upkeep/backups.ts';
import { Random } from '../../core/random.ts';
import { foundPlace, work } from '../stages.ts';
import { say } from './shim.ts';

const [file = '', seed, acts, synchronous = ''] = process.argv.slice(2);
const random = new Random(Number(seed));

async function open(create = false) {
  const service = await createService({ database: file, create });
  // Only of the control, which waits for no sync.
  if (synchronous !== '') service.source.db.pragma(`synchronous = ${synchronous}`);
  // Commits copy the WAL into the file more often than every 4000 pages.
  service.source.db.pragma('wal_autocheckpoint = 40');
  return service;
}

say('begin found');
const place = { ...foundPlace(await open(true)) };
say('done found');
let backups = 0;
const steps = work(place, (most) => random.whole(0, Math.min(most, 6)));
for (let count = 0; count < Number(acts); count += 1) {
  const { batch, stage, act } = steps.next().value;
  say(`begin act ${batch} ${stage}`);
  act();
  say(`done act ${batch} ${stage}`);
  if (random.once(40)) {
    await place.service.close();
    place.service = await open();
  }
  if (count % 50 === 25) {
    say(`begin backup ${backups}`);
    backUp(file, `${file}.copy-${backups}`);
    say(`done backup ${backups}`);
    backups += 1;
  }
}
await place.service.close();
if (backups > 0) {
  const copy = random.whole(0, backups - 1);
  say(`begin restore ${copy}`);
  restoreBackup(`${file}.copy-${copy}`, file);
  say(`done restore ${copy}`);
}
