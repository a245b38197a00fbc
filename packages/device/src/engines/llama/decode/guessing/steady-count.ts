// How many guesses the streams of a GPU add to each step. A GPU repeats a step of the same size far faster than it takes one of another size:
// what it launched is recorded and played back. So a number is kept until another one has been better for a while.

import type { Offer } from './offers.ts'

/** Weight of the newest step in the averages. */
const NEWEST = 0.25
/** Another number has to be so much better. */
const BETTER = 1.1

export class SteadyCount {
  readonly #averages = new Map<number, Offer>()
  #current = 0

  /** `rateOf` is in tokens per time. */
  choose(offers: readonly Offer[], rateOf: (offer: Offer) => number): number {
    const averages = offers.map((offer) => this.#average(offer))
    const rates = averages.map(rateOf)
    const best = rates.indexOf(Math.max(...rates))
    const now = averages.findIndex(({ guesses }) => guesses === this.#current)
    if (now === -1 || rates[best]! > rates[now]! * BETTER) this.#current = averages[best]!.guesses
    return this.#current
  }

  #average({ guesses, gained, most }: Offer): Offer {
    const before = this.#averages.get(guesses) ?? { gained: 1, most: 1 }
    const average = {
      guesses,
      gained: before.gained + (gained - before.gained) * NEWEST,
      most: before.most + (most - before.most) * NEWEST,
    }
    this.#averages.set(guesses, average)
    return average
  }
}
