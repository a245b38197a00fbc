// Looks at the event loop ten times a second and tells the limit.

import type { LoadLimit } from './load-limit.ts'
import { LoopMeter } from './loop-meter.ts'

const LOOK_MS = 100

/** Call the returned function to stop. */
export function watchLoad(limit: LoadLimit): () => void {
  const meter = new LoopMeter()
  const timer = setInterval(() => limit.look(meter.read()), LOOK_MS).unref()
  return () => clearInterval(timer)
}
