/** Abort signals: several signals can end one request, and one signal several requests. */

import { BudgetdError } from './errors.ts';

/** Our listeners by signal. A signal gets only one of them: Node 20 warns about more than ten. */
const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

/** The signals that can end something. */
type Signals = readonly (AbortSignal | undefined)[];

/** Calls `end` when any of the signals aborts. Returns the function that stops listening. */
export function onAbort(given: Signals, end: () => void): () => void {
  const signals = given.filter((signal) => signal !== undefined);
  const stops = signals.map((signal) => listen(signal, end));
  if (signals.some((signal) => signal.aborted)) end();
  return () => {
    for (const stop of stops) stop();
  };
}

/** Throws `aborted` if one of the signals is aborted, with its reason as the cause. */
export function refuseAborted(signals: Signals): void {
  const signal = signals.find((each) => each?.aborted);
  if (signal === undefined) return;
  throw new BudgetdError('aborted', 'The call was aborted.', { cause: signal.reason });
}

function listen(signal: AbortSignal, end: () => void): () => void {
  const listeners = LISTENERS.get(signal) ?? open(signal);
  listeners.add(end);
  return () => {
    listeners.delete(end);
    if (listeners.size === 0) close(signal);
  };
}

function open(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  LISTENERS.set(signal, listeners);
  signal.addEventListener('abort', endAll);
  return listeners;
}

/** A signal that lives longer than its requests must not collect their listeners. */
function close(signal: AbortSignal): void {
  LISTENERS.delete(signal);
  signal.removeEventListener('abort', endAll);
}

function endAll({ currentTarget }: Event): void {
  for (const end of LISTENERS.get(currentTarget as AbortSignal) ?? []) end();
}
