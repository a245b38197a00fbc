// Decides when to dial again. Pure: takes the end of a link and a random number, returns a delay.
//
// Delays are picked from windows of 1, 2 and 4 s, then 7 s for two minutes, then 14, 28 and 56 s. An attempt falls anywhere inside its
// window, and the next window starts where this one ends. So a fleet that lost its gateway all at once comes back spread out, not in bursts,
// and after a restart of up to two minutes all of it is back within two windows of 7 s.
//
// A device that lost its link in the middle of a job is in a hurry: someone is watching a reply, and the gateway waits a few seconds for the
// device to continue it. For that long, the windows are half a second. The hurry ends once the gateway rejects the device.

/** How one attempt to connect ended, from the dial to the last frame. */
export type LinkEnd =
  /** Could not connect, or the link broke. `wasBusy`: jobs were running. `isRejected`: the gateway itself rejected the device. */
  | { kind: 'lost'; why: string; linkedMs: number; wasBusy?: boolean; isRejected?: boolean; retryAfterMs?: number }
  /** The gateway announced a restart, and when to come back. */
  | { kind: 'restarting'; reconnectInMs: number }
  /** A 401, or the credential was revoked while linked. */
  | { kind: 'credential-rejected' }
  /** No common protocol version. */
  | { kind: 'app-too-old' }
  /** Another device app connected with the same credential. */
  | { kind: 'superseded' }
  /** Rejected: another device app keeps using the same credential. */
  | { kind: 'in-use' }

type Lost = Extract<LinkEnd, { kind: 'lost' }>

export interface Backoff {
  failures: number
  /** The remaining time of the last window. */
  restMs: number
  /** How long the device is still in a hurry. */
  hurryMs: number
}

export const FRESH: Backoff = { failures: 0, restMs: 0, hurryMs: 0 }

const FIRST_WINDOW_MS = 1_000
const USUAL_WINDOW_MS = 7_000
const LAST_WINDOW_MS = 56_000
/** After this many failures, a bit more than two minutes, nobody expects the gateway back any second. */
const PATIENCE = 20
const MOST_FAILURES = 32
/** A link that lasted this long was healthy: the next loss starts over with the first window. Short, because bad Wi-Fi breaks again soon. */
const HEALTHY_MS = 10_000
/** The same for a link that the gateway ended. It had a reason, and should not have to give it six times a minute. */
const HEALTHY_UNTIL_REJECTED_MS = 60_000
const HURRY_WINDOW_MS = 500
/** As long as the gateway waits for the device, and a bit more: the clocks of the two don't start at the same moment. */
const HURRY_MS = 16_000
/** After a hurry, the device tries as often as after this many failures. */
const FAILURES_AFTER_HURRY = 3
/** The shortest wait after another app took over the link. */
const SUPERSEDED_MS = 60_000
/** These cases need a person to fix them, so there is no hurry. */
export const REJECTED_RETRY_MS = 5 * 60_000
/** The first and the longest wait if another machine uses the same credential. */
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
    case 'credential-rejected':
    case 'app-too-old':
      return { backoff: FRESH, delayMs: REJECTED_RETRY_MS }
    case 'superseded':
      // Two apps with one credential would keep disconnecting each other, so this one backs off.
      return { backoff: FRESH, delayMs: SUPERSEDED_MS + random() * SUPERSEDED_MS }
    case 'in-use':
      return afterInUse(backoff, random)
    case 'lost':
      return afterLoss(noteLoss(backoff, end), end.retryAfterMs ?? 0, random)
    default:
      return end satisfies never
  }
}

function noteLoss(backoff: Backoff, { linkedMs, wasBusy = false, isRejected = false }: Lost): Backoff {
  const isHealthy = linkedMs >= (isRejected ? HEALTHY_UNTIL_REJECTED_MS : HEALTHY_MS)
  const known = isHealthy ? FRESH : backoff
  if (isRejected) return { ...known, hurryMs: 0 }
  return wasBusy ? { ...known, restMs: 0, hurryMs: HURRY_MS } : known
}

/** Twice as long each time: only a person can end this, or the other app by going away. */
function afterInUse({ failures }: Backoff, random: () => number): { backoff: Backoff; delayMs: number } {
  const windowMs = Math.min(FIRST_IN_USE_MS * 2 ** failures, LAST_IN_USE_MS)
  return {
    backoff: { failures: Math.min(failures + 1, 16), restMs: 0, hurryMs: 0 },
    delayMs: (windowMs * (1 + random())) / 2,
  }
}

function afterLoss(
  backoff: Backoff,
  retryAfterMs: number,
  random: () => number,
): { backoff: Backoff; delayMs: number } {
  const isHurried = backoff.hurryMs > 0
  const windowMs = isHurried ? HURRY_WINDOW_MS : windowAfter(backoff.failures)
  const insideMs = random() * windowMs
  const failures = isHurried
    ? Math.max(backoff.failures, FAILURES_AFTER_HURRY)
    : Math.min(backoff.failures + 1, MOST_FAILURES)
  const delayMs = Math.max(backoff.restMs, Math.min(retryAfterMs, LONGEST_ASKED_MS)) + insideMs
  const hurryMs = Math.max(0, backoff.hurryMs - delayMs)
  return { backoff: { failures, restMs: windowMs - insideMs, hurryMs }, delayMs }
}

function windowAfter(failures: number): number {
  if (failures < PATIENCE) return Math.min(FIRST_WINDOW_MS * 2 ** failures, USUAL_WINDOW_MS)
  return Math.min(USUAL_WINDOW_MS * 2 ** (failures - PATIENCE + 1), LAST_WINDOW_MS)
}
