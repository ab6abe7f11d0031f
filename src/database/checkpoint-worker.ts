/**
 * The thread of `checkpoints.ts`: on each message, copies the WAL into the database file, and
 * answers. The database is open only while it copies: ending a thread with an open one can crash.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { withDatabase } from './driver.ts';

parentPort?.on('message', () => {
  try {
    withDatabase(String(workerData), {}, (db) => {
      db.pragma('synchronous = 2');
      db.pragma('wal_checkpoint(passive)');
    });
  } catch {
    // A full disk, for example. Nothing is lost: the next checkpoint copies this part too.
  }
  parentPort?.postMessage(null);
});
