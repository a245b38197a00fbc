// Follows a text through a grammar, one character at a time, and knows at every place which
// characters can come next. llama.cpp only tells about one token after the other.
//
// A place is a set of frames: each waits for a character, and knows how its rule, and those around
// it, go on. Equal frames and places are one object, so a step that was taken before is only looked
// up. Rules are read when a text gets to them.

import type { GrammarTree } from '../grammar/grammar-rules.ts'
import {
  findBound,
  placeOf,
  rangesOf,
  waitsFor,
  type Frame,
  type KnownLanding,
  type Landing,
  type Place,
} from './place.ts'
import { readRules, type BodyOf } from './read-rule.ts'
import { RETURN, StepWriter, type Mark, type Step } from './steps.ts'
import { getOrMake } from '../get-or-make.ts'

/** More frames at once take too long to follow. */
const MAX_WIDTH = 2_000
/**
 * Of frames, steps and places; then all of them are forgotten, and found again when they are
 * needed.
 */
const MAX_KEPT = 20_000

/** Frames that were reached from a place by one character. */
interface Reached {
  readonly seen: Set<Frame>
  readonly waiting: Frame[]
  /** Behind marks, if there are any. */
  marked: Map<Mark, Reached> | undefined
  mayEnd: boolean
  isLost: boolean
}

const NO_MARKS: Landing['marked'] = []

export class GrammarFollower {
  readonly #bodyOf: BodyOf
  readonly #rules = new Map<string, Step>()
  readonly #frames = new Map<string, Frame>()
  readonly #places = new Map<string, Place>()
  readonly #writer: StepWriter
  #nextFrame: number
  #kept = 0
  #work = 0
  #effort = 0

  /**
   * Places of a follower of the same grammar, which may be given instead, can be continued here.
   */
  constructor(grammar: string | GrammarTree | GrammarFollower) {
    const isNew = !(grammar instanceof GrammarFollower)
    this.#bodyOf = isNew ? bodiesOf(grammar) : grammar.#bodyOf
    // No two frames or steps have the same number.
    this.#writer = isNew ? new StepWriter() : grammar.#writer
    this.#nextFrame = isNew ? 1 : grammar.#nextFrame
  }

  /**
   * How many frames were looked at so far, or would have been, if nothing were known. So it doesn't
   * depend on what was followed before: what is too much work for one reply is for all.
   */
  get work(): number {
    return this.#work
  }

  /** How many frames were looked at so far. */
  get effort(): number {
    return this.#effort
  }

  /** How many frames, steps and places it knows. */
  get kept(): number {
    return this.#kept
  }

  /** Undefined if the grammar is more than this can follow. */
  start(): Place | undefined {
    return this.begin().place
  }

  /**
   * A place where nothing waits if the character doesn't fit; undefined if the grammar is more than
   * this can follow.
   */
  step(place: Place, code: number): Place | undefined {
    return this.land(place, code).place
  }

  /** `start` with what is behind marks. */
  begin(): Landing {
    return this.#reach((reached) => {
      for (const frame of this.#call('root', undefined, reached)) this.#expand(frame, reached)
    })
  }

  /** `step` with what is behind marks. */
  land(place: Place, code: number): Landing {
    const index = findBound(place.bounds, code)
    const known = (place.targets[index] ??= this.#find(place, code))
    this.#work += known.work
    this.#effort++
    return known
  }

  #find({ waiting }: Place, code: number): KnownLanding {
    const before = this.#work
    const { place, marked } = this.#reach((reached) => {
      for (const frame of waiting) if (waitsFor(frame, code)) this.#expand(this.#after(frame), reached)
    })
    const work = waiting.length + this.#work - before
    this.#work = before
    this.#effort += work
    return { place, marked, work }
  }

  #reach(go: (reached: Reached) => void): Landing {
    if (this.#kept > MAX_KEPT) this.#forget()
    const reached = newlyReached()
    const written = this.#writer.written
    go(reached)
    this.#kept += this.#writer.written - written
    return reached.isLost ? { place: undefined, marked: NO_MARKS } : this.#landingOf(reached)
  }

  #landingOf(reached: Reached): Landing {
    const marked =
      reached.marked && Array.from(reached.marked, ([mark, behind]) => [mark, this.#landingOf(behind)] as const)
    return { place: this.#placeOf(reached), marked: marked ?? NO_MARKS }
  }

  #forget(): void {
    for (const { targets } of this.#places.values()) targets.length = 0
    for (const kept of [this.#rules, this.#frames, this.#places]) kept.clear()
    this.#kept = 0
  }

  #placeOf({ waiting, mayEnd }: Reached): Place {
    const key = `${waiting.map(({ id }) => id).join(' ')}${mayEnd ? '.' : ''}`
    let place = this.#places.get(key)
    if (place === undefined) {
      this.#places.set(key, (place = placeOf(waiting, mayEnd)))
      this.#kept += waiting.length + place.bounds.length
    }
    return place
  }

  /** Goes on from a frame to all that wait for a character. */
  #expand(from: Frame | undefined, reached: Reached): void {
    const open = [from]
    for (; open.length > 0 && !reached.isLost; this.#work++) {
      const frame = open.pop()
      if (frame === undefined) reached.mayEnd = true
      else if (!reached.seen.has(frame)) {
        reached.seen.add(frame)
        reached.isLost ||= reached.seen.size > MAX_WIDTH
        open.push(...this.#open(frame, reached))
      }
    }
  }

  #expandMarked(from: Frame | undefined, mark: Mark, reached: Reached): void {
    const marked = (reached.marked ??= new Map())
    const behind = getOrMake(marked, mark, newlyReached)
    this.#expand(from, behind)
    reached.isLost ||= behind.isLost
  }

  #open(frame: Frame, reached: Reached): (Frame | undefined)[] {
    const { step, next } = frame
    switch (step.type) {
      case 'return':
        return [next]
      case 'characters':
        reached.waiting.push(frame)
        return []
      case 'rule':
        return this.#call(step.name, this.#frame(step.then, 0, next), reached)
      case 'choice':
        return step.options.map((option) => this.#frame(option, 0, next))
      case 'mark':
        this.#expandMarked(this.#frame(step.then, 0, next), step.mark, reached)
        return []
      case 'repeat':
        return this.#openRepeat(frame, step, reached)
      default:
        return step satisfies never
    }
  }

  #openRepeat(frame: Frame, step: Extract<Step, { type: 'repeat' }>, reached: Reached): (Frame | undefined)[] {
    const opened = frame.count >= step.min ? [this.#frame(step.then, 0, frame.next)] : []
    if (frame.count >= step.max) return opened
    if (!(step.part instanceof Uint32Array)) return [...opened, this.#frame(step.part, 0, this.#after(frame))]
    reached.waiting.push(frame)
    return opened
  }

  #call(rule: string, next: Frame | undefined, reached: Reached): (Frame | undefined)[] {
    const first = this.#rules.get(rule) ?? this.#readRule(rule)
    reached.isLost ||= first === undefined
    return first === undefined ? [] : [this.#frame(first, 0, next)]
  }

  #readRule(name: string): Step | undefined {
    const body = this.#bodyOf(name)
    const first = body && this.#writer.write(body)
    if (first !== undefined) this.#rules.set(name, first)
    return first
  }

  /** The frame behind the character that this one waits for. */
  #after({ step, count, next }: Frame): Frame | undefined {
    if (step.type === 'characters') return this.#frame(step.then, 0, next)
    if (step.type !== 'repeat') return next
    // Without a maximum, it doesn't matter how much more than the minimum there is.
    return this.#frame(step, step.max === Number.POSITIVE_INFINITY ? Math.min(count + 1, step.min) : count + 1, next)
  }

  #frame(step: Step, count: number, next: Frame | undefined): Frame | undefined {
    if (step === RETURN || step.type === 'return') return next
    const key = `${step.id} ${count} ${next?.id ?? 0}`
    let frame = this.#frames.get(key)
    if (frame === undefined) {
      this.#frames.set(key, (frame = { id: this.#nextFrame++, step, count, next }))
      this.#kept++
    }
    return frame
  }
}

/** Whether a character between these two can come next. */
export function mayContinue({ waiting }: Place, low: number, high: number): boolean {
  return waiting.some((frame) => waitsFor(frame, low, high))
}

/** All characters that can come next; undefined if there are more than `most`. */
export function nextCharacters({ waiting }: Place, most: number): Set<number> | undefined {
  const found = new Set<number>()
  for (const [from, to] of waiting.flatMap(rangesOf))
    for (let code = from; code <= to; code++) if (found.add(code).size > most) return undefined
  return found
}

function newlyReached(): Reached {
  return { seen: new Set(), waiting: [], marked: undefined, mayEnd: false, isLost: false }
}

function bodiesOf(grammar: string | GrammarTree): BodyOf {
  if (typeof grammar === 'string') return readRules(grammar)
  return (name) => (name === 'root' ? grammar.root : grammar.rules.get(name))
}
