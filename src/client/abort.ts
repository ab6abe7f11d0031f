/** Abort signals: any number of them end one thing, and one of them ends any number of things. */

import { BudgetdError } from './errors.ts';

/** The listeners of each signal, behind one listener of ours: Node 20 warns of more than ten. */
const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `end` when any of the signals aborts. Returns the function that stops listening. */
export function onAbort(signals: readonly AbortSignal[], end: () => void): () => void {
  const stops = signals.map((signal) => listen(signal, end));
  if (signals.some((signal) => signal.aborted)) end();
  return () => {
    for (const stop of stops) stop();
  };
}

/** The error `aborted` when one of the signals is aborted, with its reason as the cause. */
export function findAbort(signals: readonly AbortSignal[]): BudgetdError | undefined {
  const signal = signals.find(({ aborted }) => aborted);
  if (signal === undefined) return undefined;
  return new BudgetdError('aborted', 'Stopped by the caller.', { cause: signal.reason });
}

/** The signals that are there. */
export function listSignals(...signals: (AbortSignal | undefined)[]): AbortSignal[] {
  return signals.filter((signal) => signal !== undefined);
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

/** A signal that outlives its requests must not keep a listener for each of them. */
function close(signal: AbortSignal): void {
  LISTENERS.delete(signal);
  signal.removeEventListener('abort', endAll);
}

function endAll({ currentTarget }: Event): void {
  for (const end of LISTENERS.get(currentTarget as AbortSignal) ?? []) end();
}
