// Has a small model write ahead of the streams of a large one. Its tokens are guesses like all others: they are evaluated in the same decode,
// and one is kept only if it is drawn. So the draft never changes a reply, whatever it writes.
//
// A draft has to read what the model has read. It does so from the first step of a reply on, a piece per step, so that no stream waits long.

import type { GuessMode } from '../../llama-options.ts'
import type { DraftModel, NativeSampler, Token } from '../../native/native.ts'
import { DraftSlot, type Followed } from './draft-slot.ts'
import { DraftTimes } from './draft-times.ts'
import type { Draft, StreamDrafts } from './stream-drafts.ts'
import { Acceptance } from './acceptance.ts'
import { planDrafts, type StepCosts } from './plan-drafts.ts'

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

interface Going {
  readonly stream: DraftedStream
  readonly slot: DraftSlot
  /** The tokens to evaluate next. */
  readonly next: readonly Token[]
  /** The most drafts. */
  readonly most: number
}

/** A draft this far ahead is rarely right. */
const MOST_DRAFTS = 16
/** In tests, which draft where it doesn't pay. */
const ALWAYS_DRAFTS = 4
const TRIAL = 1

const NOTHING: Draft = { token: -1, confidence: 0 }

export class Drafting {
  readonly #model: DraftModel
  readonly #options: DraftingOptions
  readonly #sampler: NativeSampler
  readonly #slots: DraftSlot[]
  readonly #times: DraftTimes
  readonly #acceptance = new Acceptance()
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

  /** How often drafts for this stream are right. */
  averageOf({ drafts }: DraftedStream): number {
    return drafts.average(this.#acceptance)
  }

  /** Writes ahead of those streams that it is worth it for. All others have no drafts. */
  async draft(streams: readonly DraftedStream[], times: StepCosts): Promise<void> {
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

  /** Streams that can be drafted for. Those that are too far behind read a piece. */
  async #read(streams: readonly DraftedStream[], times: StepCosts): Promise<Going[]> {
    const ready: Going[] = []
    const reading: Going[] = []
    let room = Math.min(this.#times.piece(times.stepOf(times.streams)), this.#model.batchSize)
    for (const stream of streams) {
      const slot = this.#slots[stream.slot]
      if (slot === undefined || room === 0 || !this.#fits(stream)) continue
      const behind = slot.follow(stream)
      const most = this.#planDrafts(stream, Math.min(behind, room), times)
      const next = most === 0 ? undefined : slot.next(stream, behind <= room ? behind : Math.min(behind - 1, room))
      if (next === undefined) continue
      room -= next.length
      const isReady = behind === next.length
      ;(isReady ? ready : reading).push({ stream, slot, next, most })
    }
    if (reading.length > 0) await this.#evaluate(reading, false)
    return ready
  }

  #fits({ tokens }: DraftedStream): boolean {
    return tokens.length + MOST_DRAFTS < this.#model.contextLength
  }

  /** A stream that drafts don't pay for gets a single one now and then, to find out whether they do by now. */
  #planDrafts(stream: DraftedStream, toRead: number, times: StepCosts): number {
    if (this.#options.mode === 'always') return ALWAYS_DRAFTS
    const count = planDrafts(this.averageOf(stream), MOST_DRAFTS, this.#times.decodeMs, times)
    return count > 0 ? count : this.#times.canWaste(toRead) ? TRIAL : 0
  }

  /** One decode for each position, with all streams that go on. */
  async #write(ready: readonly Going[], times: StepCosts): Promise<void> {
    let going = ready
    while (going.length > 0) {
      const drawn = await this.#evaluate(going, true)
      going = going.flatMap(({ stream, slot, most }, index) => {
        const { token, confidence } = drawn[index] ?? NOTHING
        if (token < 0 || token >= this.#model.sharedTokens) return []
        stream.drafts.add({ token, confidence })
        const goesOn = this.#goesOn(stream, token, most, going.length, times)
        return goesOn ? [{ stream, slot, most, next: [token] }] : []
      })
    }
  }

  /** Not if the next draft would cost more time than it is likely to save. */
  #goesOn(stream: DraftedStream, last: Token, most: number, drafted: number, times: StepCosts): boolean {
    const { drafts } = stream
    if (drafts.count >= most || this.#model.vocabulary.isEnd(last)) return false
    if (this.#options.mode === 'always') return true
    const tokenMs = times.stepOf(times.streams) / times.streams
    return drafts.chance * this.averageOf(stream) * tokenMs > this.#times.decodeMs / drafted
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
    const ms = now() - begun
    this.#times.learn(total, going.length, ms)
    const inVain = going.filter(({ most }) => most <= TRIAL).length
    this.#times.waste((ms * inVain) / going.length)
    return drawn
  }

  async #draw(place: number): Promise<Draft> {
    const { context } = this.#model
    const [token, , , , weight = 1] = await context.sampleToken(place, this.#sampler, false, false, false, true)
    return { token, confidence: 1 / weight }
  }
}
