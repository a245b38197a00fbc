// How fast devices answer, in tokens per second over recent answers. Kept in memory, for people to look at; the scheduler measures its own.

import type { JobRecord } from '../fleet/fleet.ts'

/** Weight of the newest answer. */
const NEWEST = 0.3
/** Shorter answers say nothing about speed. */
const LEAST_TOKENS = 4
const LEAST_MS = 20
const MAX_KEPT = 10_000

export class Speeds {
  readonly #speeds = new Map<string, number>()

  note({ ticket, device, tokens, firstEventMs, totalMs, outcome }: JobRecord): void {
    if (outcome.kind !== 'ended' || !device || firstEventMs === undefined) return
    const ms = totalMs - firstEventMs
    if (tokens.completion < LEAST_TOKENS || ms < LEAST_MS) return
    const name = `${device}\n${ticket.model}`
    const speed = (tokens.completion / ms) * 1_000
    const before = this.#speeds.get(name) ?? speed
    this.#speeds.delete(name)
    this.#speeds.set(name, before + NEWEST * (speed - before))
    if (this.#speeds.size > MAX_KEPT) this.#speeds.delete(this.#speeds.keys().next().value!)
  }

  /** Null before the first answer. */
  of(device: string, model: string): number | null {
    const speed = this.#speeds.get(`${device}\n${model}`)
    return speed === undefined ? null : Math.round(speed * 10) / 10
  }
}
