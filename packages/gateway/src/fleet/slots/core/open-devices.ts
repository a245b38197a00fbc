// The devices of a lane that could take a job now, in no particular order. What a choice compares lies side by side in one array: with many
// devices, each object that is looked at has to come from memory, and only the chosen one is worth it.

import type { FeatureMask } from './feature-mask.ts'

/** What a choice has to know of a model on a device. */
export interface Choosable {
  readonly features: FeatureMask
  readonly slots: number
  readonly leased: number
  readonly msPerCharacter: number
  readonly lastLease: number
  /** Its place among the open ones, or -1. */
  openPlace: number
}

/** How much is kept of each device, and where. */
const FACTS = 6
const MS_PER_CHARACTER = 0
const LEASED = 1
const SLOTS = 2
const FEATURES = 3
const DELAY = 4
const LAST_LEASE = 5
const FIRST_ROOM = 4

export class OpenDevices<Served extends Choosable> {
  readonly all: Served[] = []
  #facts = new Float64Array(FACTS * FIRST_ROOM)
  /** Where the next search starts when there are too many to compare them all. */
  turn = 0

  get length(): number {
    return this.all.length
  }

  add(served: Served): void {
    served.openPlace = this.all.push(served) - 1
    if (this.all.length * FACTS <= this.#facts.length) return
    const larger = new Float64Array(2 * this.#facts.length)
    larger.set(this.#facts)
    this.#facts = larger
  }

  /** Fills the gap with the last one. */
  remove(served: Served): void {
    const last = this.all.pop()!
    const place = served.openPlace
    served.openPlace = -1
    if (last === served) return
    this.all[place] = last
    last.openPlace = place
    this.#facts.copyWithin(place * FACTS, this.all.length * FACTS, (this.all.length + 1) * FACTS)
  }

  /** `delay` is what it takes more than reading the prompt, in the units of a choice. */
  note({ openPlace, msPerCharacter, leased, slots, features, lastLease }: Served, delay: number): void {
    const facts = this.#facts
    const at = openPlace * FACTS
    facts[at + MS_PER_CHARACTER] = msPerCharacter
    facts[at + LEASED] = leased
    facts[at + SLOTS] = slots
    facts[at + FEATURES] = features
    facts[at + DELAY] = delay
    facts[at + LAST_LEASE] = lastLease
  }

  msPerCharacter(place: number): number {
    return this.#facts[place * FACTS + MS_PER_CHARACTER]!
  }

  /** The part of its slots that is taken. */
  load(place: number): number {
    return this.#facts[place * FACTS + LEASED]! / this.#facts[place * FACTS + SLOTS]!
  }

  free(place: number): number {
    return this.#facts[place * FACTS + SLOTS]! - this.#facts[place * FACTS + LEASED]!
  }

  features(place: number): number {
    return this.#facts[place * FACTS + FEATURES]!
  }

  delay(place: number): number {
    return this.#facts[place * FACTS + DELAY]!
  }

  lastLease(place: number): number {
    return this.#facts[place * FACTS + LAST_LEASE]!
  }
}
