/** One Chromium for all files of tests in a process, because each start takes seconds of CPU. */

import { after } from 'node:test';
import { type Chromium, launch } from './chromium.ts';

let running: Promise<Chromium> | undefined;
after(async () => (await running)?.close());

/** The browser, which the first test starts, and which ends after the last. */
export function openChromium(): Promise<Chromium> {
  running ??= launch();
  return running;
}
