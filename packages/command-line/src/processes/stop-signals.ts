// What ends a program from outside: Ctrl-C, whoever asks it to end, such as a service manager, and the end of its terminal. All programs take
// it the same way: the first signal lets them finish what runs, and the second one doesn't wait.

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** On Ctrl-C the terminal signals both npm and this process, and npm passes its signal on: within this time, it is one key press. */
const SAME_PRESS_MS = 1_000

export interface StopListeners {
  /** Called once. */
  onStop: (signal: NodeJS.Signals) => void
  /** Called for each further signal. */
  onStopNow?: () => void
}

/** Where the signals come from, and a clock. */
export interface SignalSource {
  process: Pick<NodeJS.Process, 'on' | 'off'>
  now: () => number
}

const THIS_PROCESS: SignalSource = { process, now: () => performance.now() }

/** Returns a function that stops listening. */
export function listenForStop(
  { onStop, onStopNow = () => process.exit(1) }: StopListeners,
  source: SignalSource = THIS_PROCESS,
): () => void {
  let toldAt: number | undefined
  const listener = (signal: NodeJS.Signals): void => {
    const now = source.now()
    if (toldAt !== undefined && isSame(signal, now - toldAt)) return
    const isFirst = toldAt === undefined
    toldAt = now
    if (isFirst) onStop(signal)
    else onStopNow()
  }
  for (const signal of STOP_SIGNALS) source.process.on(signal, listener)
  return () => {
    for (const signal of STOP_SIGNALS) source.process.off(signal, listener)
  }
}

/** As the one before. A terminal may tell its end more than once. */
function isSame(signal: NodeJS.Signals, sinceMs: number): boolean {
  return signal === 'SIGHUP' || (signal === 'SIGINT' && sinceMs < SAME_PRESS_MS)
}

/** Aborted by the first signal, with this reason. The second one ends the process at once. */
export function untilStopped(reason?: Error): AbortSignal {
  const stopped = new AbortController()
  listenForStop({ onStop: () => stopped.abort(reason) })
  return stopped.signal
}

/**
 * For a process that ends when its child does, which may first finish what runs. A terminal signals both: passing its signals on would be a
 * second press. Returns a function that stops listening.
 */
export function leaveSignalsToChild(
  child: { kill: (signal: NodeJS.Signals) => unknown },
  source: SignalSource['process'] = process,
): () => void {
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGTERM') child.kill(signal)
  }
  for (const signal of STOP_SIGNALS) source.on(signal, listener)
  return () => {
    for (const signal of STOP_SIGNALS) source.off(signal, listener)
  }
}

/** For a process that ends when its parent says so: terminals and service managers signal all processes of a group. */
export function leaveSignalsToParent(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined)
}
