// Acts at most once per interval, however often it is asked to: the first time at once, and when the interval is over if it was asked again.
// So nothing that was asked for is lost, as long as the action looks at the latest state.

import type { Clock } from '../../time/clock.ts'

export type Pacer = ReturnType<typeof createPacer>

export function createPacer(clock: Clock, intervalMs: number, act: () => void) {
  let cancel: (() => void) | undefined
  let isAskedAgain = false
  const ask = (): void => {
    isAskedAgain = cancel !== undefined
    if (isAskedAgain) return
    cancel = clock.after(intervalMs, () => {
      cancel = undefined
      if (isAskedAgain) ask()
    })
    act()
  }
  /** Forgets what was asked for. */
  const stop = (): void => cancel?.()
  return { ask, stop }
}
