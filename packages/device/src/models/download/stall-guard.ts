// Ends a connection that delivers nothing for too long.

import { BrokenDownload } from './download-faults.ts'

export function createStallGuard(
  stallMs: number,
  signal: AbortSignal,
): { signal: AbortSignal; touch: () => void; end: () => void } {
  const stalled = new AbortController()
  const giveUp = (): void => stalled.abort(new BrokenDownload('the download stalled'))
  let timer = setTimeout(giveUp, stallMs)
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    touch() {
      clearTimeout(timer)
      timer = setTimeout(giveUp, stallMs)
    },
    end() {
      clearTimeout(timer)
      // Closes a connection whose answer nobody reads to its end.
      giveUp()
    },
  }
}
