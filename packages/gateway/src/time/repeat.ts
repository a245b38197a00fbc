import { realClock, type Clock } from './clock.ts'

/** Acts once per interval, until the returned function is called. On the real clock it doesn't keep the process alive. */
export function repeat(clock: Clock, intervalMs: number, act: () => void): () => void {
  if (clock === realClock) {
    const timer = setInterval(act, intervalMs).unref()
    return () => clearInterval(timer)
  }
  const again = () => {
    cancel = clock.after(intervalMs, again)
    act()
  }
  let cancel = clock.after(intervalMs, again)
  return () => cancel()
}
