// hearth-seal's proxy in front of a gateway that lies at random.

import { countOutcome, type Target } from '../target.ts'
import { CANARIES, startLiarWorld, WORDS, type LiarWorld, type Outcome } from '../../sealed/liar/liar-world.ts'
import { findWords } from '../../sealed/search/find-words.ts'
import { randomLie } from './random-lie.ts'
import { createSealedInput, type SealedInput } from './sealed-input.ts'

const HONEST: SealedInput = { seed: 1, reply: 'stream', liesAbout: 'nothing', hasOther: false }
/** A connection that a lie has spoiled may be used again once. */
const TRIES = 3
const TEXT = WORDS.join('')

export class SealedTarget implements Target<SealedInput> {
  readonly outcomes = new Map<string, number>()
  readonly #world: LiarWorld
  #fault: string | undefined

  private constructor(world: LiarWorld) {
    this.#world = world
  }

  static async start(): Promise<SealedTarget> {
    const target = new SealedTarget(await startLiarWorld())
    process.on('uncaughtException', target.#crashed)
    // hearth-seal must have seen the newest documents, or it believes old ones.
    await target.settle()
    return target
  }

  createInput(seed: number, index: number): SealedInput {
    return createSealedInput(seed, index)
  }

  async send(input: SealedInput): Promise<string | undefined> {
    const outcome = await this.#ask(input)
    countOutcome(this.outcomes, outcome.outcome)
    return judge(outcome, input)
  }

  fault(): string | undefined {
    const written = findWords(Buffer.from(this.#world.problems.splice(0).join('\n')), [...CANARIES, ...WORDS])
    return this.#fault ?? (written.length === 0 ? undefined : `hearth-seal printed ${written.join(', ')}`)
  }

  async settle(): Promise<void> {
    for (let count = 0; count < TRIES; count++) {
      const { outcome } = await this.#ask(HONEST)
      if (outcome === 'complete') return
    }
    this.#fault ??= 'an honest request is not answered any more'
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('uncaughtException', this.#crashed)
    await this.#world[Symbol.asyncDispose]()
  }

  /** Asks for a reply while the gateway lies as the input says. */
  #ask(input: SealedInput): Promise<Outcome> {
    return this.#world.ask(input.reply, randomLie(input), input.hasOther)
  }

  /** An error that nobody caught would end hearth-seal. */
  readonly #crashed = (error: unknown): void => {
    this.#fault ??= `crashed: ${error instanceof Error ? error.stack : String(error)}`
  }
}

/** The client gets an error, or exactly the device's text: a stream may have shown a beginning of it before the error. */
function judge({ outcome, text, status, error, read }: Outcome, { reply, liesAbout }: SealedInput): string | undefined {
  if (read.length > 0) return `the gateway can read ${read.join(', ')}`
  if (outcome === 'broken') return `the connection of the client hung or broke after ${status}`
  if (outcome === 'complete') return text === TEXT ? undefined : `the client shows as complete: ${text}`
  if (error === undefined) return `the client got neither a reply nor an error, but ${status}`
  if (!TEXT.startsWith(text) || (reply === 'whole' && text !== '')) return `the client shows before an error: ${text}`
  if (status < 400 && text === '') return `the client got an error with the status ${status}`
  return liesAbout === 'nothing' && status < 500 ? `the client got ${error} for the truth` : undefined
}
