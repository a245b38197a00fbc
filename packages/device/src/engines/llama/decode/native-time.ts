// How long native work takes. Calls wait for each other on the library's thread, so a call begins when it was made or when the one before it
// has finished, whichever is later.

import type { NativeContext } from '../native/native.ts'

const finished = new WeakMap<NativeContext, number>()

/** Call this whenever a result arrives. Returns the milliseconds that a call took which was made at `calledAt`. */
export function finishCall(context: NativeContext, calledAt: number): number {
  const now = performance.now()
  const begun = Math.max(calledAt, finished.get(context) ?? 0)
  finished.set(context, now)
  return now - begun
}
