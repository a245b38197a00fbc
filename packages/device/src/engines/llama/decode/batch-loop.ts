// Evaluates all running generations together: each step decodes one batch with the next token of every generation and, in the room that is
// left, pieces of prompts. The loop knows slots and positions; each generation samples its own tokens.

import type { PrefixScope } from '@hearth/protocol'
import type { Checkpoints } from './slots/checkpoints.ts'
import { createSlots } from './slots/create-slots.ts'
import type { Generation } from './generation.ts'
import { planBatch, type BatchPart } from './plan-batch.ts'
import type { NativeContext } from '../native/native.ts'
import { copyCostOf } from './copy-cost.ts'
import { createPace, type Pace } from './pace.ts'
import { untilStop } from './slots/plan-stops.ts'
import { activeOf, createRunning, readToken, reportPrompt, runAhead, type Running } from './running.ts'
import { BlockTurns, noteBlocks, repeatableReuse, untilPiece } from './same-numbers.ts'
import { SlotStates } from './slots/slot-states.ts'
import { planSlot, type Slot, type SlotPlan } from './slots/slots.ts'
import { Wakefulness } from './wakefulness.ts'

export interface BatchLoopOptions {
  slots: number
  batchSize: number
  gpu: string | false
  /** Tokens per slot. */
  contextLength: number
  /** For models whose slots can't forget single tokens. */
  checkpoints?: Checkpoints | undefined
  /** Called when all results of a step have been reported and, if another step follows, its decode runs. */
  onStep?(): void
  now?: () => number
}

type ActivePart = BatchPart & { slot: Slot<Running>; running: Running }

export interface LoopCounts {
  decodes: number
  promptTokens: number
  generatedTokens: number
}

const UNKNOWN_SCOPE: PrefixScope = { name: '' }

export class BatchLoop {
  readonly counts: LoopCounts = { decodes: 0, promptTokens: 0, generatedTokens: 0 }
  readonly #context: NativeContext
  readonly #options: BatchLoopOptions
  readonly #pace: Pace
  readonly #wakefulness: Wakefulness
  readonly #slots: Slot<Running>[]
  readonly #states: SlotStates
  readonly #blocks: BlockTurns
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
    this.#blocks = new BlockTurns(options)
    this.#wakefulness = new Wakefulness(() => performance.now())
    const { checkpoints } = options
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
    const running = createRunning(generation)
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
    if (parts.length === 0) this.#options.onStep?.()
    else await this.#takeStep(this.#blocks.next(parts.map((part) => ({ ...part, ...active[part.index]! }))))
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
    return this.#options.gpu === false ? Math.min(count, untilPiece(length, running)) : count
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
      if (error !== undefined) this.#states.forget(slot)
    }
    running.generation.onEnd(error)
  }

  async #assignSlots(): Promise<void> {
    for (;;) {
      const running = this.#nextWaiting()
      const scope = running?.generation.scope ?? UNKNOWN_SCOPE
      const plan = running && planSlot(this.#slots, running.generation.prompt, scope, copyCostOf(this.#options))
      if (running === undefined || plan === undefined) return
      this.#waiting.delete(running)
      plan.slot.occupant = running
      const reused = await this.#states.prepare(plan.slot, plan.source, this.#reuse(plan, running))
      running.pending = running.generation.prompt.slice(reused)
      running.promptLeft = running.pending.length
      running.stops = this.#options.checkpoints?.planStops(running.generation.prompt, reused) ?? []
      plan.slot.owners.begin(scope.name, reused)
      running.generation.onStart(reused, Math.min(plan.own, reused))
    }
  }

  #reuse(plan: SlotPlan<Running>, { generation }: Running): number {
    const { gpu, checkpoints } = this.#options
    return gpu === false && checkpoints === undefined ? repeatableReuse(plan, generation) : plan.reuse
  }

  // More choices of a running job have to wait for jobs that have no slot at all.
  #nextWaiting(): Running | undefined {
    const ready = [...this.#waiting].filter(({ generation }) => this.#isLeaderReady(generation.leader))
    return ready.find(({ generation }) => generation.leader === undefined) ?? ready[0]
  }

  #isLeaderReady(leader: Generation | undefined): boolean {
    const running = leader && this.#all.get(leader)
    return running === undefined || (running.promptLeft === 0 && !this.#waiting.has(running))
  }

  async #takeCheckpoints(checkpoints: Checkpoints): Promise<void> {
    for (const slot of this.#slots) {
      if (slot.occupant === undefined || slot.occupant.stops[0] !== slot.tokens.length) continue
      slot.occupant.stops = slot.occupant.stops.slice(1)
      await checkpoints.take(slot.id, slot.tokens.length)
    }
  }

  async #evaluate(parts: readonly ActivePart[]): Promise<void> {
    const total = parts.reduce((sum, { count }) => sum + count, 0)
    const now = this.#options.now ?? (() => performance.now())
    const begun = now()
    const wanted: { running: Running; at: number }[] = []
    try {
      wanted.push(...this.#fillBatch(parts, total))
      await this.#decode(parts)
      this.#states.onDecode()
    } catch (error) {
      for (const { running } of parts) this.#end(running, error)
      return
    }
    this.#pace.onDecode(total, now() - begun)
    this.counts.decodes++
    for (const { running } of parts) reportPrompt(running)
    for (const { running } of parts) if (running.ending !== undefined) this.#end(running, running.ending.error)
    await Promise.all(wanted.map(({ running, at }) => this.#goOn(running, at)))
  }

  /** The results of the step before are read and sent meanwhile. */
  async #decode(parts: readonly ActivePart[]): Promise<void> {
    const [decoded] = await Promise.allSettled([this.#context.decodeBatch(), this.#sendResults(parts)])
    if (decoded.status === 'rejected') throw decoded.reason
  }

  async #sendResults(parts: readonly ActivePart[]): Promise<void> {
    const unread = parts.filter(({ running }) => running.unread !== undefined)
    if (unread.length > 0) await Promise.all(unread.map(({ running }) => readToken(running)))
    this.#options.onStep?.()
  }

  /** Returns where the distributions of the next tokens will be. */
  #fillBatch(parts: readonly ActivePart[], total: number): { running: Running; at: number }[] {
    const wanted: { running: Running; at: number }[] = []
    this.#context.initBatch(total)
    for (const { slot, running, count } of parts) {
      noteBlocks(slot, count, parts.length === 1)
      const at = this.#add(slot, running, count)
      if (at !== undefined) wanted.push({ running, at })
    }
    return wanted
  }

  /** Returns where the next distribution will be; undefined while more tokens are pending. */
  #add(slot: Slot<Running>, running: Running, count: number): number | undefined {
    const tokens = running.pending.slice(0, count)
    const isLast = count === running.pending.length
    const wanted = new Uint32Array(isLast ? [count - 1] : [])
    const at = this.#context.addToBatch(slot.id, slot.tokens.length, new Uint32Array(tokens), wanted)
    for (const token of tokens) slot.tokens.push(token)
    running.pending = running.pending.slice(count)
    if (count > 1) running.lastTurn = this.counts.decodes + 1
    const ofPrompt = Math.min(running.promptLeft, count)
    this.counts.promptTokens += ofPrompt
    this.counts.generatedTokens += count - ofPrompt
    return isLast ? at[0] : undefined
  }

  async #goOn(running: Running, at: number): Promise<void> {
    // Tokens that were inserted come first, and a generation that has ended needs no more.
    if (running.pending.length > 0 || running.ending !== undefined) return
    try {
      const drawn = await running.generation.draw(at)
      if (running.isCancelled) return this.#end(running)
      if (this.#runsAhead && !running.generation.endsAt(drawn.token)) return runAhead(running, drawn)
      const tokens = await running.generation.next(drawn)
      if (tokens.length === 0) this.#end(running)
      else running.pending = tokens
    } catch (error) {
      this.#end(running, error)
    }
  }

  // On a GPU, a step is so short that reading a token takes a noticeable part of it. In return, a reply that ends with a stop sequence
  // costs one more step, which would take long on a CPU, and one more token in its slot, which some models can't forget.
  get #runsAhead(): boolean {
    return this.#options.gpu !== false && this.#options.checkpoints === undefined
  }
}
