// Notices when two machines use the same credential. Each start of the device app has its own boot ID, and a start that was replaced never
// comes back on its own: if a boot returns after another one took its place, both are running. They could keep taking each other's place
// forever, so after a few times the one that is connected stays, and the other is rejected. A machine that reconnects or restarts is never
// rejected: after a reconnect it has the same boot ID, and after a restart a new one.

import { forgetOldest } from '../../forget-oldest.ts'
import type { Conflict } from './fleet-view.ts'

const MOST_TAKE_OVERS = 3
const WINDOW_MS = 10 * 60_000
/** A conflict counts as over when the other machine hasn't tried for this long. Refused apps try more often. */
export const CONFLICT_MS = 60 * 60_000
/** Boots of one device that are remembered. A machine that restarts again and again must not fill the memory. */
export const REMEMBERED_BOOTS = 8

class History {
  takeOvers: number[] = []
  /** When another boot took the place of this one; the oldest comes first. */
  readonly replaced = new Map<string, number>()
  refused: { at: number; conflict: Conflict } | undefined
}

export interface LinkTakeOver {
  device: string
  /** Of the link that is connected. */
  holder: string
  /** Of the link that wants its place. */
  boot: string
  address: string
}

export class TakeOvers {
  readonly #devices = new Map<string, History>()

  /** Whether the newer link takes the place of the older one; if not, it has to be rejected. */
  allow({ device, holder, boot, address }: LinkTakeOver, now: number): boolean {
    if (holder === boot) return true
    const history = this.#historyOf(device, now)
    const isFight = history.takeOvers.length >= MOST_TAKE_OVERS || history.refused !== undefined
    if (isFight && history.replaced.has(boot)) {
      this.refused(device, address, now)
      return false
    }
    // More would change nothing, and a device may dial hundreds of times a minute.
    history.takeOvers = [...history.takeOvers, now].slice(-MOST_TAKE_OVERS)
    history.replaced.delete(boot)
    history.replaced.set(holder, now)
    forgetOldest(history.replaced, REMEMBERED_BOOTS)
    return true
  }

  /** Somebody else may have decided that. */
  refused(device: string, address: string, now: number): void {
    this.#historyOf(device, now).refused = { at: now, conflict: { address, at: new Date() } }
  }

  conflictOf(device: string, now: number): Conflict | undefined {
    return this.#devices.has(device) ? this.#historyOf(device, now).refused?.conflict : undefined
  }

  forget(device: string): void {
    this.#devices.delete(device)
  }

  /** Forgets the devices that had no take-over for long. */
  tidy(now: number): void {
    for (const device of this.#devices.keys()) {
      const { takeOvers, replaced, refused } = this.#historyOf(device, now)
      if (takeOvers.length === 0 && replaced.size === 0 && refused === undefined) this.#devices.delete(device)
    }
  }

  #historyOf(device: string, now: number): History {
    const history = this.#devices.get(device) ?? new History()
    this.#devices.set(device, history)
    history.takeOvers = history.takeOvers.filter((at) => now - at < WINDOW_MS)
    for (const [boot, at] of history.replaced) if (now - at >= CONFLICT_MS) history.replaced.delete(boot)
    if (history.refused !== undefined && now - history.refused.at >= CONFLICT_MS) history.refused = undefined
    return history
  }
}

/** For the owner of the machine that is connected. */
export function describeConflict({ address }: Conflict): string {
  return `Another machine at ${address} tries to use this device's credential. If it is yours, run hearth-device login there. If not, remove this device in the console and log in again.`
}
