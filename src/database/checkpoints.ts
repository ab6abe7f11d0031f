/**
 * Copies the WAL into the database file in a thread of its own. SQLite would do it inside a commit,
 * which would block the event loop for 40 to 70 ms longer.
 */

import { resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../package-folder.ts';
import { type Db, onWrite, setCheckpointPages } from './database.ts';
import { statement } from './statements.ts';

/** WAL pages between two checkpoints, 48 MiB: a page that is in them twice is copied once. */
const CHECKPOINT_PAGES = 12_000;
/**
 * WAL pages, 64 MiB, after which a commit makes the checkpoint although there is a thread. A thread
 * cannot keep up with pushes that follow each other without a pause.
 */
const OVERFLOW_PAGES = 16_000;

const SCRIPT = new URL('checkpoint-worker.js', import.meta.url);

const watched = new WeakMap<Db, Checkpoints>();

/**
 * Waits for the checkpoint that is being made, if any. Long work does so between its writes: the
 * WAL starts again from its beginning only when a write finds that all of it was copied.
 */
export async function whenCheckpointed(db: Db): Promise<void> {
  await watched.get(db)?.whenMade();
}

/** The checkpoints of one open file. */
export class Checkpoints {
  readonly #db: Db;
  readonly #file: string;
  readonly #script: URL;
  readonly #most: number;
  /** How many pages the WAL had when the last checkpoint began. */
  #pages = 0;
  #worker: Worker | undefined;
  #isBusy = false;
  /** Resolves once the current checkpoint is done or the thread has ended. */
  #made: Promise<void> = Promise.resolve();
  #settle: () => void = () => {};

  /** Watches a file from now on. The thread starts when there is enough to copy: so many pages. */
  constructor(db: Db, file: string, { pages = CHECKPOINT_PAGES, script = SCRIPT } = {}) {
    this.#db = db;
    this.#file = resolve(file);
    this.#script = script;
    this.#most = pages;
    watched.set(db, this);
    setCheckpointPages(db, OVERFLOW_PAGES);
    onWrite(db, () => {
      try {
        this.#note();
      } catch {
        // The write is stored, whatever prevents the checkpoint: the next one asks again.
      }
    });
  }

  /** Resolves when the thread has made the checkpoint that it is making. */
  whenMade(): Promise<void> {
    // Otherwise the process could end before.
    if (this.#isBusy) this.#worker?.ref();
    return this.#made;
  }

  /** Ends the thread, after the checkpoint that it is making. Call it before closing the file. */
  async close(): Promise<void> {
    onWrite(this.#db, undefined);
    await this.whenMade();
    this.#worker?.ref();
    await this.#worker?.terminate();
  }

  #note(): void {
    const pages = selectPages(this.#db).get()?.log ?? 0;
    // After a checkpoint of all of it, the WAL begins again.
    if (pages < this.#pages) this.#pages = 0;
    if (this.#isBusy || pages - this.#pages < this.#most) return;
    this.#pages = pages;
    this.#worker ??= this.#start();
    this.#isBusy = true;
    this.#made = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#worker.postMessage(null);
  }

  #start(): Worker {
    // Without the arguments of this process, which may load or debug something.
    const worker = startThread(this.#script, { workerData: this.#file, execArgv: [] });
    worker.on('message', () => {
      this.#isBusy = false;
      worker.unref();
      this.#settle();
    });
    worker.on('error', () => {});
    worker.on('exit', () => {
      // If it failed, it stays busy for good, and commits make the checkpoints again.
      this.#worker = undefined;
      setCheckpointPages(this.#db);
      this.#settle();
    });
    // After the listeners, because adding one undoes it.
    worker.unref();
    return worker;
  }
}

/** How many pages the WAL has. Copies nothing. */
const selectPages = statement<[], { readonly log: number }>`pragma wal_checkpoint(noop)`;
