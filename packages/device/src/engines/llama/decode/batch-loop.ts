// Evaluates all running generations together: each step decodes one batch with the next token of every generation and, in the room that is
// left, pieces of prompts. The loop knows slots and positions; each generation samples its own tokens.

import type { EngineScope } from '../../engine.ts'
import type { Checkpoints } from './slots/checkpoints.ts'
import type { Generation } from './generation.ts'
import { planBatch } from './plan-batch.ts'
import type { GuessMode } from '../llama-options.ts'
import type { NativeContext } from '../native/native.ts'
import { copyCostOf } from './copy-cost.ts'
import { createPace, type Pace } from './pace.ts'
import { untilStop } from './slots/plan-stops.ts'
import { addToBatch, withGuesses, type ActivePart, type PlannedPart } from './active-part.ts'
import { drawOn, type DrawnOn, type Evaluated } from './draw-on.ts'
import { Guessing } from './guessing/guessing.ts'
import { activeOf, createRunning, nextWaiting, readToken, reportPrompt, type Running } from './running.ts'
import type { ExactSizes } from '../native/exact-sizes.ts'
import { noteDecode, repeatableReuse, untilPiece, type Turns } from './same-numbers.ts'
import { createTurns } from './strict-turns.ts'
import { takesAllCores, untilThreadsRun } from './thread-start.ts'
import { SlotStates } from './slots/slot-states.ts'
import { createSlots, planSlot, type Slot } from './slots/slots.ts'
import { Wakefulness } from './wakefulness.ts'

export interface BatchLoopOptions {
  slots: number
  batchSize: number
  gpu: string | false
  /** Those of a decode on a CPU. */
  threads?: number
  /** Tokens per slot. */
  contextLength: number
  exactSizes: ExactSizes
  /** On a CPU, streams at temperature 0 have the numbers that they have alone. */
  isStrict?: boolean
  /** For models whose slots can't forget single tokens. */
  checkpoints?: Checkpoints | undefined
  guessing?: GuessMode | undefined
  /** Called when all results of a step have been reported and, if another step follows, its decode runs. */
  onStep?(): void
  now?: () => number
}

type Drawable = Evaluated & { slot: Slot<Running> }

export interface LoopCounts {
  decodes: number
  promptTokens: number
  generatedTokens: number
}

const NOT_DRAWN: DrawnOn = { kept: 0 }
const UNKNOWN_SCOPE: EngineScope = { name: '' }

export class BatchLoop {
  readonly counts: LoopCounts = { decodes: 0, promptTokens: 0, generatedTokens: 0 }
  readonly #context: NativeContext
  readonly #options: BatchLoopOptions
  readonly #pace: Pace
  readonly #wakefulness: Wakefulness
  readonly #guessing: Guessing
  readonly #slots: Slot<Running>[]
  readonly #states: SlotStates
  readonly #turns: Turns<PlannedPart>
  readonly #takesAllCores: boolean
  readonly #all = new Map<Generation, Running>()
  readonly #waiting = new Set<Running>()
  #running: Promise<void> | undefined
  /** Set when something changed during a step, so that the loop doesn't go to sleep and miss it. */
  #isWoken = false
  #uses = 0
  #stepSince: number | undefined

  constructor(context: NativeContext, options: BatchLoopOptions) {
    this.#context = context
    this.#options = options
    this.#pace = createPace(options)
    this.#turns = createTurns(options)
    this.#wakefulness = new Wakefulness(() => performance.now())
    const { checkpoints, guessing = 'auto', gpu, threads = 1 } = options
    this.#takesAllCores = gpu === false && takesAllCores(threads)
    // A slot that can't forget single tokens can't forget wrong guesses.
    const mode = checkpoints === undefined ? guessing : 'never'
    this.#guessing = new Guessing({ ...options, mode })
    this.#states = new SlotStates(context, checkpoints)
    this.#slots = createSlots(options.slots, checkpoints)
  }

  get isIdle(): boolean {
    return this.#all.size === 0
  }

  /** At least one more step follows. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** How long the current step has been running. */
  get stepMs(): number {
    return this.#stepSince === undefined ? 0 : performance.now() - this.#stepSince
  }

  submit(generation: Generation): void {
    const running = createRunning(generation, this.#guessing.createStream(generation.scope))
    this.#all.set(generation, running)
    this.#waiting.add(running)
    this.#wake()
  }

  /** Takes effect before the next step, which calls `onEnd`. */
  cancel(generation: Generation): void {
    const running = this.#all.get(generation)
    if (running === undefined) return
    running.isCancelled = true
    this.#wake()
  }

  /** A paused generation keeps its slot but gets no tokens. */
  pause(generation: Generation, isPaused: boolean): void {
    const running = this.#all.get(generation)
    if (running === undefined) return
    running.isPaused = isPaused
    this.#wake()
  }

  /** Cancels everything and waits for the last decode; after that the context can be disposed. */
  async stop(): Promise<void> {
    for (const running of this.#all.values()) running.isCancelled = true
    this.#wake()
    await this.#running
  }

  #wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    let hasDecoded = false
    do {
      this.#isWoken = false
      // A decode lets new jobs and cancellations in.
      if (!hasDecoded) await new Promise((resolve) => setImmediate(resolve))
      this.#stepSince = performance.now()
      hasDecoded = await this.#step()
    } while (hasDecoded || this.#isWoken)
    this.#stepSince = undefined
    this.#running = undefined
  }

  /** False if there is nothing to do until the next wake-up. */
  async #step(): Promise<boolean> {
    this.#dropCancelled()
    if (this.#waiting.size > 0) await this.#assignSlots()
    const active = activeOf(this.#slots)
    const parts = planBatch(
      active.map(({ slot, running }) => ({
        count: this.#countUntilStop(slot, running),
        lastTurn: running.lastTurn,
        isStarting: running.promptLeft === 1 && running.pending.length === 1,
      })),
      this.#pace,
    )
    const planned = this.#turns.next(parts.map(({ index, count }) => ({ ...active[index]!, count })))
    if (parts.length === 0) this.#options.onStep?.()
    else await this.#takeStep(withGuesses(planned, this.#guessing))
    if (this.#options.checkpoints) await this.#takeCheckpoints(this.#options.checkpoints)
    return parts.length > 0
  }

  #takeStep(parts: readonly ActivePart[]): Promise<void> {
    const step = this.#evaluate(parts)
    return this.#options.gpu !== false && parts.length === 1 ? this.#wakefulness.during(step) : step
  }

  // On a GPU, the numbers depend on the size of every batch anyway.
  #countUntilStop({ tokens: { length } }: Slot<Running>, running: Running): number {
    const count = untilStop(length, running)
    return this.#options.gpu === false ? Math.min(count, untilPiece(length, running, this.#options.exactSizes)) : count
  }

  #dropCancelled(): void {
    for (const running of this.#all.values()) if (running.isCancelled) this.#end(running)
  }

  #end(running: Running, error?: unknown): void {
    if (!this.#all.delete(running.generation)) return
    this.#waiting.delete(running)
    const slot = this.#slots.find(({ occupant }) => occupant === running)
    if (slot !== undefined) {
      slot.occupant = undefined
      slot.lastUsed = ++this.#uses
      this.#guessing.remember(running.generation.scope, slot.tokens, running.generation.prompt.length)
      if (error !== undefined) this.#states.forget(slot)
    }
    running.generation.onEnd(error)
  }

  async #assignSlots(): Promise<void> {
    for (;;) {
      const running = nextWaiting(this.#waiting, this.#all)
      const scope = running?.generation.scope ?? UNKNOWN_SCOPE
      const plan = running && planSlot(this.#slots, running.generation.prompt, scope, copyCostOf(this.#options))
      if (running === undefined || plan === undefined) return
      this.#waiting.delete(running)
      plan.slot.occupant = running
      const reused = await this.#states.prepare(plan.slot, plan.source, repeatableReuse(plan, running, this.#options))
      running.pending = running.generation.prompt.slice(reused)
      running.promptLeft = running.pending.length
      running.stops = this.#options.checkpoints?.planStops(running.generation.prompt, reused) ?? []
      plan.slot.owners.begin(scope, reused)
      running.generation.onStart(reused, Math.min(plan.own, reused))
    }
  }

  async #takeCheckpoints(checkpoints: Checkpoints): Promise<void> {
    for (const slot of this.#slots) {
      if (slot.occupant === undefined || slot.occupant.stops[0] !== slot.tokens.length) continue
      slot.occupant.stops = slot.occupant.stops.slice(1)
      await checkpoints.take(slot.id, slot.tokens.length)
    }
  }

  async #evaluate(parts: readonly ActivePart[]): Promise<void> {
    const total = parts.reduce((sum, { count, guesses }) => sum + count + guesses.length, 0)
    const now = this.#options.now ?? (() => performance.now())
    const begun = now()
    const drawable: Drawable[] = []
    try {
      drawable.push(...this.#fillBatch(parts, total))
      await this.#decode(parts)
      this.#states.onDecode()
    } catch (error) {
      for (const { running } of parts) this.#end(running, error)
      return
    }
    const decodeMs = now() - begun
    this.#pace.onDecode(total, decodeMs)
    this.counts.decodes++
    for (const { running } of parts) reportPrompt(running)
    const kept = await Promise.all(drawable.map((evaluated) => this.#goOn(evaluated, drawable.length)))
    if (parts.some(({ count }) => count > 1)) return
    const drawMs = now() - begun - decodeMs
    const drawn = 1 + Math.max(...kept)
    this.#guessing.learn({ streams: parts.length, tokens: total, decodeMs, drawn, drawMs })
  }

  /** The results of the step before are read and sent meanwhile. */
  async #decode(parts: readonly ActivePart[]): Promise<void> {
    const decoding = this.#context.decodeBatch()
    if (this.#takesAllCores) await untilThreadsRun(decoding)
    const [decoded] = await Promise.allSettled([decoding, this.#sendResults(parts)])
    if (decoded.status === 'rejected') throw decoded.reason
  }

  async #sendResults(parts: readonly ActivePart[]): Promise<void> {
    await Promise.all(parts.filter(({ running }) => running.unread).map(({ running }) => readToken(running)))
    this.#options.onStep?.()
  }

  /** Returns where distributions will be. */
  #fillBatch(parts: readonly ActivePart[], total: number): Drawable[] {
    this.#context.initBatch(total)
    return parts.flatMap((part) => {
      noteDecode(part.slot, { count: part.count + part.guesses.length, total }, this.#options.exactSizes)
      const positions = addToBatch(this.#context, part)
      this.#count(part)
      return positions.length === 0 ? [] : [{ ...part, positions }]
    })
  }

  #count({ running, count }: ActivePart): void {
    if (count > 1) running.lastTurn = this.counts.decodes + 1
    const ofPrompt = Math.min(running.promptLeft, count)
    this.counts.promptTokens += ofPrompt
    this.counts.generatedTokens += count - ofPrompt
  }

  /** Returns how many guesses were right. */
  async #goOn(evaluated: Drawable, streams: number): Promise<number> {
    const { slot, running, guesses } = evaluated
    const drawn = running.ending === undefined ? await drawOn(evaluated, this.#runsAhead(running), streams) : NOT_DRAWN
    this.counts.generatedTokens += drawn.kept
    try {
      if (drawn.kept < guesses.length) this.#states.dropLast(slot, guesses.length - drawn.kept)
    } catch (error) {
      this.#end(running, error)
    }
    const ending = running.ending ?? drawn.ending
    if (ending !== undefined) this.#end(running, ending.error)
    return drawn.kept
  }

  // Reading a token takes a noticeable part of a short step. In return, a reply that ends unexpectedly costs one more step, which would take
  // long on a CPU, and one more token in its slot, which some models can't forget.
  #runsAhead({ generation }: Running): boolean {
    const isCheap = this.#options.gpu !== false && this.#options.checkpoints === undefined
    return isCheap || generation.hasNoSurprises === true
  }
}
