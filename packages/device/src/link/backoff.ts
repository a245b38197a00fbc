// Decides when to dial again. Pure: takes the end of a link and a random number, returns a delay.
//
// Delays are picked from windows of 1, 2 and 4 s, then 7 s for two minutes, then 14, 28 and 56 s. An attempt falls anywhere inside its
// window, and the next window starts where this one ends. So a fleet that lost its gateway all at once comes back spread out, not in bursts,
// and after a restart of up to two minutes all of it is back within two windows of 7 s.

/** How one attempt to connect ended, from the dial to the last frame. */
export type LinkEnd =
  /** Could not connect, or the link broke. */
  | { kind: 'lost'; why: string; linkedMs: number; retryAfterMs?: number }
  /** The gateway announced a restart, and when to come back. */
  | { kind: 'restarting'; reconnectInMs: number }
  /** A 401, or the credential was revoked while linked. */
  | { kind: 'credential-refused' }
  /** No common protocol version. */
  | { kind: 'app-too-old' }
  /** Another device app connected with the same credential. */
  | { kind: 'superseded' }
  /** Refused: another device app keeps using the same credential. */
  | { kind: 'in-use' }

export interface Backoff {
  failures: number
  /** The remaining time of the last window. */
  restMs: number
}

export const FRESH: Backoff = { failures: 0, restMs: 0 }

const FIRST_WINDOW_MS = 1_000
const USUAL_WINDOW_MS = 7_000
const LAST_WINDOW_MS = 56_000
/** After this many failures, a bit more than two minutes, nobody is waiting for the gateway to come back any second. */
const PATIENCE = 20
const MOST_FAILURES = 32
/** A link that lasted this long was healthy: the next loss starts over with the first window. */
const HEALTHY_MS = 60_000
/** These cases need a person to fix them, so there is no hurry. */
export const REFUSED_RETRY_MS = 5 * 60_000
/** How long to wait at first if another machine uses the same credential, and at most. */
const FIRST_IN_USE_MS = 2 * 60_000
const LAST_IN_USE_MS = 32 * 60_000
/** Limits the delay that the gateway may ask for. */
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
      // Two apps with one credential would keep disconnecting each other, so this one backs off.
      return { backoff: FRESH, delayMs: HEALTHY_MS + random() * HEALTHY_MS }
    case 'in-use':
      return afterInUse(backoff, random)
    case 'lost':
      return afterLoss(end.linkedMs >= HEALTHY_MS ? FRESH : backoff, end.retryAfterMs ?? 0, random)
    default:
      return end satisfies never
  }
}

/** Twice as long each time: only a person can end this, or the other app by going away. */
function afterInUse({ failures }: Backoff, random: () => number): { backoff: Backoff; delayMs: number } {
  const windowMs = Math.min(FIRST_IN_USE_MS * 2 ** failures, LAST_IN_USE_MS)
  return { backoff: { failures: Math.min(failures + 1, 16), restMs: 0 }, delayMs: (windowMs * (1 + random())) / 2 }
}

function afterLoss(
  backoff: Backoff,
  retryAfterMs: number,
  random: () => number,
): { backoff: Backoff; delayMs: number } {
  const windowMs = windowAfter(backoff.failures)
  const insideMs = random() * windowMs
  const next = { failures: Math.min(backoff.failures + 1, MOST_FAILURES), restMs: windowMs - insideMs }
  const askedMs = Math.min(retryAfterMs, LONGEST_ASKED_MS)
  return { backoff: next, delayMs: Math.max(backoff.restMs, askedMs) + insideMs }
}

function windowAfter(failures: number): number {
  if (failures < PATIENCE) return Math.min(FIRST_WINDOW_MS * 2 ** failures, USUAL_WINDOW_MS)
  return Math.min(USUAL_WINDOW_MS * 2 ** (failures - PATIENCE + 1), LAST_WINDOW_MS)
}
