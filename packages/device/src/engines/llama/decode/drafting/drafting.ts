// Has a small model write ahead of the streams of a large one. Its tokens are guesses like all others: they are evaluated in the same decode,
// and one is kept only if it is drawn. So the draft never changes a reply, whatever it writes.
//
// A draft has to read what the model has read. It does so from the first step of a reply on, a piece per step, so that no stream waits long.

import type { GuessMode } from '../../llama-options.ts'
import type { DraftModel, NativeSampler, Token } from '../../native/native.ts'
import { DraftSlot, type Followed } from './draft-slot.ts'
import { DraftTimes } from './draft-times.ts'
import type { Draft, StreamDrafts } from './stream-drafts.ts'
import { CommonWorth } from './worth.ts'

export interface DraftedStream extends Followed {
  readonly drafts: StreamDrafts
}

export interface DraftingOptions {
  gpu: string | false
  mode: GuessMode
  now: () => number
  /** The draft can't be used any more. Replies go on without it. */
  onFailure: (error: unknown) => void
}

/** In milliseconds. */
export interface StepTimes {
  /** A step without guesses. */
  step: number
  /** The same for each of its tokens: the time that a right guess saves. */
  token: number
  /** One more token in a step. */
  more: number
}

interface Going {
  readonly stream: DraftedStream
  readonly slot: DraftSlot
  /** The tokens to evaluate next. */
  readonly next: readonly Token[]
}

/** A draft this far ahead is rarely right. */
const MOST_DRAFTS = 16
/** In tests, which draft where it doesn't pay. */
const ALWAYS_DRAFTS = 4

const NOTHING: Draft = { token: -1, confidence: 0 }

export class Drafting {
  readonly #model: DraftModel
  readonly #options: DraftingOptions
  readonly #sampler: NativeSampler
  readonly #slots: DraftSlot[]
  readonly #times: DraftTimes
  readonly #common = new CommonWorth()
  #state: 'working' | 'failed' | 'disposed' = 'working'

  constructor(model: DraftModel, options: DraftingOptions) {
    const { context, slots, sharedTokens } = model
    this.#model = model
    this.#options = options
    this.#times = new DraftTimes(options.gpu)
    this.#sampler = model.createSampler()
    this.#sampler.applyConfig({ temperature: 0 })
    this.#slots = Array.from({ length: slots }, (_, id) => new DraftSlot(context, id, sharedTokens))
  }

  /** Writes ahead of those streams that it is worth it for. All others have no drafts. */
  async draft(streams: readonly DraftedStream[], times: StepTimes): Promise<void> {
    if (this.#state !== 'working') return
    try {
      await this.#write(await this.#read(streams, times), times)
    } catch (error) {
      for (const { drafts } of streams) drafts.clear()
      this.#state = 'failed'
      this.#options.onFailure(error)
    }
  }

  /** How long a step took. */
  onStep(ms: number): void {
    this.#times.onStep(ms)
  }

  dispose(): void {
    if (this.#state !== 'disposed') this.#sampler.dispose()
    this.#state = 'disposed'
  }

  /** Learns from the drafts of the stream's last step, and drops them. */
  settle(drafts: StreamDrafts, { token, more }: StepTimes): void {
    const { taken, kept } = drafts.outcome
    if (drafts.count > 0) {
      const gain = kept - (drafts.spentMs + taken * more) / token
      drafts.worth(this.#common).learn(gain)
      this.#common.learn(gain)
    }
    drafts.clear()
  }

  /** Streams that can be drafted for. Those that are too far behind read a piece. */
  async #read(streams: readonly DraftedStream[], { step }: StepTimes): Promise<Going[]> {
    const ready: Going[] = []
    const reading: Going[] = []
    let room = Math.min(this.#times.piece(step), this.#model.batchSize)
    for (const stream of streams) {
      const slot = this.#slots[stream.slot]
      const behind = slot === undefined || !this.#fits(stream) ? 0 : slot.follow(stream)
      if (slot === undefined || behind === 0 || room === 0 || !this.#mayDraft(stream, Math.min(behind, room))) continue
      const next = slot.next(stream, behind <= room ? behind : Math.min(behind - 1, room))
      if (next === undefined) continue
      room -= next.length
      ;(behind === next.length ? ready : reading).push({ stream, slot, next })
    }
    if (reading.length > 0) await this.#evaluate(reading, false)
    return ready
  }

  #fits({ tokens }: DraftedStream): boolean {
    return tokens.length + MOST_DRAFTS < this.#model.contextLength
  }

  #mayDraft({ drafts }: DraftedStream, tokens: number): boolean {
    const isPaying = this.#options.mode === 'always' || drafts.worth(this.#common).isPaying
    return isPaying || this.#times.canWaste(tokens)
  }

  /** One decode for each position, with all streams that go on. */
  async #write(ready: readonly Going[], times: StepTimes): Promise<void> {
    let going = ready
    while (going.length > 0) {
      const drawn = await this.#evaluate(going, true)
      going = going.flatMap(({ stream, slot }, index) => {
        const { token, confidence } = drawn[index] ?? NOTHING
        if (token < 0 || token >= this.#model.sharedTokens) return []
        stream.drafts.add({ token, confidence })
        return this.#goesOn(stream, token, going.length, times) ? [{ stream, slot, next: [token] }] : []
      })
    }
  }

  #goesOn({ drafts }: DraftedStream, last: Token, streams: number, { token, more }: StepTimes): boolean {
    if (drafts.count >= MOST_DRAFTS || this.#model.vocabulary.isEnd(last)) return false
    if (this.#options.mode === 'always') return drafts.count < ALWAYS_DRAFTS
    return drafts.chance * drafts.average * token > this.#times.decodeMs / streams + more
  }

  /** Returns the token that is likeliest to come next in each, if it is wanted. */
  async #evaluate(going: readonly Going[], isWanted: boolean): Promise<Draft[]> {
    const { now } = this.#options
    const total = going.reduce((sum, { next }) => sum + next.length, 0)
    const begun = now()
    this.#model.context.initBatch(total)
    const places = going.flatMap(({ slot, next }) => Array.from(slot.add(next, isWanted)))
    await this.#model.context.decodeBatch()
    const drawn = await Promise.all(places.map((place) => this.#draw(place)))
    this.#account(going, total, now() - begun)
    return drawn
  }

  /** Reading is no cost of a round: it was necessary once, and says nothing about the next rounds. */
  #account(going: readonly Going[], tokens: number, ms: number): void {
    this.#times.learn(tokens, going.length, ms)
    for (const { stream } of going) {
      stream.drafts.spentMs += Math.min(ms, this.#times.decodeMs || ms) / going.length
      if (!stream.drafts.worth(this.#common).isPaying) this.#times.waste(ms / going.length)
    }
  }

  async #draw(place: number): Promise<Draft> {
    const { context } = this.#model
    const [token, , , , weight = 1] = await context.sampleToken(place, this.#sampler, false, false, false, true)
    return { token, confidence: 1 / weight }
  }
}
