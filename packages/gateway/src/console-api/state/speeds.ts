// How fast devices answer, in tokens per second over recent answers. Kept in memory, for people to look at; the scheduler measures its own.

import type { JobRecord } from '../../fleet/fleet.ts'
import { forgetOldest } from '../../forget-oldest.ts'

/** Weight of the newest answer. */
const NEWEST = 0.3
/** Shorter answers say nothing about speed. */
const LEAST_TOKENS = 4
const LEAST_MS = 20
/** Pairs of device and model. */
export const MAX_SPEEDS = 10_000
export const MAX_MEASURED = 40

export interface SpeedHistory {
  model: string
  /** Oldest first. */
  measured: readonly Measured[]
}

interface Measured {
  /** Milliseconds since 1970. */
  at: number
  tokensPerSecond: number
}

interface Speed {
  device: string
  model: string
  average: number
  measured: Measured[]
}

export class Speeds {
  /** The one that changed last is the last. */
  readonly #speeds = new Map<string, Speed>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  note({ ticket: { model }, device, tokens, firstEventMs, totalMs, outcome }: JobRecord): void {
    if (outcome.kind !== 'ended' || !device || firstEventMs === undefined) return
    const ms = totalMs - firstEventMs
    if (tokens.completion < LEAST_TOKENS || ms < LEAST_MS) return
    this.#add(device, model, (tokens.completion / ms) * 1_000)
  }

  #add(device: string, model: string, tokensPerSecond: number): void {
    const name = nameOf(device, model)
    const speed = this.#speeds.get(name) ?? { device, model, average: tokensPerSecond, measured: [] }
    speed.average += NEWEST * (tokensPerSecond - speed.average)
    speed.measured.push({ at: this.#now(), tokensPerSecond: round(tokensPerSecond) })
    if (speed.measured.length > MAX_MEASURED) speed.measured.shift()
    this.#speeds.delete(name)
    this.#speeds.set(name, speed)
    forgetOldest(this.#speeds, MAX_SPEEDS)
  }

  /** Null before the first answer. */
  of(device: string, model: string): number | null {
    const speed = this.#speeds.get(nameOf(device, model))
    return speed === undefined ? null : round(speed.average)
  }

  /** The last answers of a device, by model. */
  history(device: string): SpeedHistory[] {
    return [...this.#speeds.values()]
      .filter((speed) => speed.device === device)
      .map(({ model, measured }) => ({ model, measured }))
  }
}

function nameOf(device: string, model: string): string {
  return `${device}\n${model}`
}

function round(speed: number): number {
  return Math.round(speed * 10) / 10
}
