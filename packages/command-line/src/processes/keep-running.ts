// Keeps one thing running, such as a process: starts it, waits for its end, and starts it again as its plan says, until it is told to stop.

import type { RestartPlan } from './restart-plan.ts'

export interface Running<End> {
  /** Resolves when it has ended on its own. */
  readonly ended: Promise<End>
  /** Resolves when nothing of it is left. Is called in any case, also after its own end. */
  stop(): Promise<void>
}

export type RunState<End, Started extends Running<End>> =
  /** It does its work. */
  | { name: 'running'; started: Started }
  /** It ended on its own, and starts again after the pause. */
  | { name: 'ended'; end: End; pauseMs: number }
  /** It could not start, and is tried again after the pause. */
  | { name: 'not-started'; error: unknown; pauseMs: number }
  /** It was told to stop, and is about to. */
  | { name: 'stopping' }

export interface KeepRunningOptions<End, Started extends Running<End>> {
  plan: RestartPlan
  /** Resolves when it does its work. Rejects if it can't, or if the signal is aborted, and then leaves nothing running. */
  start: (signal: AbortSignal) => Promise<Started>
  onState: (state: RunState<End, Started>) => void
  now: () => number
  /** Never rejects. Ends early when the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Resolves when it has stopped. Rejects with the error of a start after which the plan gives up. */
export async function keepRunning<End, Started extends Running<End>>(
  options: KeepRunningOptions<End, Started>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await runOnce(options, signal)
    if (!signal.aborted) await options.pause(pauseMs, signal)
  }
}

/** Returns the pause before the next start. */
async function runOnce<End, Started extends Running<End>>(
  options: KeepRunningOptions<End, Started>,
  signal: AbortSignal,
): Promise<number> {
  let started: Started
  try {
    started = await options.start(signal)
  } catch (error) {
    return signal.aborted ? 0 : afterFailedStart(options, error)
  }
  try {
    return await untilEnd(options, started, signal)
  } finally {
    await started.stop()
  }
}

function afterFailedStart<End, Started extends Running<End>>(
  { plan, onState }: KeepRunningOptions<End, Started>,
  error: unknown,
): number {
  const pauseMs = plan.afterFailedStart()
  if (pauseMs === 'give-up') throw error
  onState({ name: 'not-started', error, pauseMs })
  return pauseMs
}

async function untilEnd<End, Started extends Running<End>>(
  { plan, onState, now }: KeepRunningOptions<End, Started>,
  started: Started,
  signal: AbortSignal,
): Promise<number> {
  if (signal.aborted) return 0
  const since = now()
  onState({ name: 'running', started })
  const end = await unlessAborted(started.ended, signal)
  if (end === undefined) {
    onState({ name: 'stopping' })
    return 0
  }
  const pauseMs = plan.afterEnd(now() - since)
  onState({ name: 'ended', end: end.value, pauseMs })
  return pauseMs
}

/** Undefined if the signal is aborted first. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<{ value: Value } | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const giveUp = (): void => aborted.resolve(undefined)
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([aborted.promise, work.then((value) => ({ value }))])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
