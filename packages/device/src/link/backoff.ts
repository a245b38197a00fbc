// When to dial again. Pure: the end of a link and a random number in, a delay out.
//
// Delays are drawn from windows of 1, 2, 4 … 64 s. A try falls anywhere inside its window and the next window begins where this one ends, so
// that a fleet which lost its gateway at one moment comes back spread out instead of bunched around the middle.

/** How one try to be linked ended, from the dial to the last frame. */
export type LinkEnd =
  /** Could not connect, or the link broke. */
  | { kind: 'lost'; why: string; linkedMs: number; retryAfterMs?: number }
  /** The gateway said that it goes away, and when it wants to see us again. */
  | { kind: 'restarting'; reconnectInMs: number }
  /** 401, or the credential was revoked while linked. */
  | { kind: 'credential-refused' }
  /** No common protocol version. */
  | { kind: 'app-too-old' }
  /** Another device app dialled in with the same credential. */
  | { kind: 'superseded' }

export interface Backoff {
  failures: number
  /** What is left of the last window. */
  restMs: number
}

export const FRESH: Backoff = { failures: 0, restMs: 0 }

const FIRST_WINDOW_MS = 1_000
const LAST_WINDOW_MS = 64_000
/** A link that lived this long was healthy: the next loss starts again at the first window. */
const HEALTHY_MS = 60_000
/** Nothing changes by itself after these ends, so there is no hurry. */
export const REFUSED_RETRY_MS = 5 * 60_000
/** Bounds what the other end may ask for. */
const LONGEST_ASKED_MS = 10 * 60_000

export function planReconnect(
  backoff: Backoff,
  end: LinkEnd,
  random: () => number,
): { backoff: Backoff; delayMs: number } {
  switch (end.kind) {
    case 'restarting':
      return { backoff: FRESH, delayMs: Math.min(end.reconnectInMs, LONGEST_ASKED_MS) }
    case 'credential-refused':
    case 'app-too-old':
      return { backoff: FRESH, delayMs: REFUSED_RETRY_MS }
    case 'superseded':
      // Two apps with one credential would push each other out for ever; this one steps back.
      return { backoff: FRESH, delayMs: HEALTHY_MS + random() * HEALTHY_MS }
    default:
      return afterLoss(end.linkedMs >= HEALTHY_MS ? FRESH : backoff, end.retryAfterMs ?? 0, random)
  }
}

function afterLoss(
  backoff: Backoff,
  retryAfterMs: number,
  random: () => number,
): { backoff: Backoff; delayMs: number } {
  const windowMs = Math.min(FIRST_WINDOW_MS * 2 ** backoff.failures, LAST_WINDOW_MS)
  const insideMs = random() * windowMs
  const next = { failures: Math.min(backoff.failures + 1, 16), restMs: windowMs - insideMs }
  const askedMs = Math.min(retryAfterMs, LONGEST_ASKED_MS)
  return { backoff: next, delayMs: Math.max(backoff.restMs, askedMs) + insideMs }
}
