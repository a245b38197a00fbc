// Passes the bytes of a piece from one connection to another as they come, no faster than the other end reads and not too slowly.

import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** Too slow is as good as nothing: the rest of the piece is asked for again, perhaps from another device. */
export interface SlowestPace {
  bytes: number
  everyMs: number
}

/** A line that is slower would take a day for a small model. */
export const SLOWEST: SlowestPace = { bytes: 64 * 1024, everyMs: 5_000 }

export interface Pour {
  body: Readable
  into: Writable
  /** Exactly this many. */
  bytes: number
  slowest?: SlowestPace
}

/** Who is to blame if the piece isn't whole: `failed` is the one that sends, `left` the one that reads. */
export async function pourPiece({ body, into, bytes, slowest = SLOWEST }: Pour): Promise<'whole' | 'failed' | 'left'> {
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => body.destroy())
  into.once('close', () => stop.abort())
  let [passed, seen] = [0, 0]
  let culprit: 'failed' | 'left' = 'failed'
  const look = setInterval(() => {
    if (passed - seen < slowest.bytes) stop.abort()
    seen = passed
  }, slowest.everyMs).unref()
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      passed += chunk.length
      if (passed > bytes) return 'failed'
      culprit = 'left'
      if (!into.write(chunk)) await once(into, 'drain', { signal: stop.signal })
      culprit = 'failed'
    }
  } catch {
    // One of the two connections is gone, or was too slow.
  } finally {
    clearInterval(look)
  }
  if (passed === bytes) return 'whole'
  return into.destroyed ? 'left' : culprit
}
