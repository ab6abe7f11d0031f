/**
 * The thread of `checkpoints.ts`: on each message, copies the WAL into the database file, and
 * answers. The database is open only while it copies: ending a thread with an open one can crash.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { loadDriver } from './driver.ts';

parentPort?.on('message', () => {
  try {
    const Driver = loadDriver();
    const db = new Driver(String(workerData), { fileMustExist: true });
    try {
      db.pragma('synchronous = 2');
      db.pragma('wal_checkpoint(passive)');
    } finally {
      db.close();
    }
  } catch {
    // A full disk, for example. Nothing is lost: the next checkpoint copies this part too.
  }
  parentPort?.postMessage(null);
});
