// Follows a text through a grammar, one character at a time, and knows at every place which characters can come next. llama.cpp only tells
// about one token after the other.
//
// A place is a set of frames: each waits for a character, and knows how its rule, and those around it, go on. Equal frames and places are
// one object, so a step that was taken before is only looked up. Rules are read when a text gets to them.

import { readRule } from './read-rule.ts'
import { includes, RETURN, StepWriter, type Step } from './steps.ts'

/** More frames at once take too long to follow. */
const MAX_WIDTH = 2_000
/** Of frames, steps and places; then all of them are forgotten, and found again when they are needed. */
const MAX_KEPT = 20_000

interface Frame {
  readonly id: number
  readonly step: Step
  /** How often a repeated part was there. */
  readonly count: number
  /** Undefined in the outermost rule. */
  readonly next: Frame | undefined
}

export interface Place {
  readonly waiting: readonly Frame[]
  /** Whether the text may end here. */
  readonly mayEnd: boolean
  /** Characters from one of these up to the next lead to the same place. */
  readonly bounds: Uint32Array
  /** Behind each bound; those that nobody asked for are missing. */
  readonly targets: (Target | undefined)[]
}

interface Target {
  /** Undefined if the grammar is more than can be followed. */
  readonly place: Place | undefined
  /** What it took to find it. */
  readonly work: number
}

/** Frames that were reached from a place by one character. */
interface Reached {
  readonly seen: Set<Frame>
  readonly waiting: Frame[]
  mayEnd: boolean
  isLost: boolean
}

export class GrammarFollower {
  readonly #bodies: ReadonlyMap<string, string>
  readonly #rules = new Map<string, Step>()
  readonly #frames = new Map<string, Frame>()
  readonly #places = new Map<string, Place>()
  readonly #writer: StepWriter
  #nextFrame: number
  #kept = 0
  #work = 0
  #effort = 0

  /** Places of a follower of the same grammar, which may be given instead of its text, can be continued here. */
  constructor(grammar: string | GrammarFollower) {
    const isNew = typeof grammar === 'string'
    this.#bodies = isNew ? readBodies(grammar) : grammar.#bodies
    // No two frames or steps have the same number.
    this.#writer = isNew ? new StepWriter() : grammar.#writer
    this.#nextFrame = isNew ? 1 : grammar.#nextFrame
  }

  /**
   * How many frames were looked at so far, or would have been, if nothing were known. So it doesn't depend on what was followed before: what
   * is too much work for one reply is for all.
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
    return this.#reach((reached) => {
      for (const frame of this.#call('root', undefined, reached)) this.#expand(frame, reached)
    })
  }

  /** A place where nothing waits if the character doesn't fit; undefined if the grammar is more than this can follow. */
  step(place: Place, code: number): Place | undefined {
    const index = findBound(place.bounds, code)
    const known = (place.targets[index] ??= this.#find(place, code))
    this.#work += known.work
    this.#effort++
    return known.place
  }

  #find({ waiting }: Place, code: number): Target {
    const before = this.#work
    const place = this.#reach((reached) => {
      for (const frame of waiting) if (includes(rangesOf(frame), code)) this.#expand(this.#after(frame), reached)
    })
    const work = waiting.length + this.#work - before
    this.#work = before
    this.#effort += work
    return { place, work }
  }

  #reach(go: (reached: Reached) => void): Place | undefined {
    if (this.#kept > MAX_KEPT) this.#forget()
    const reached: Reached = { seen: new Set(), waiting: [], mayEnd: false, isLost: false }
    const written = this.#writer.written
    go(reached)
    this.#kept += this.#writer.written - written
    return reached.isLost ? undefined : this.#placeOf(reached)
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
      this.#places.set(key, (place = { waiting, mayEnd, bounds: findBounds(waiting), targets: [] }))
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
    const text = this.#bodies.get(name)
    const body = text === undefined ? undefined : readRule(text)
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

function findBounds(waiting: readonly Frame[]): Uint32Array {
  const bounds = new Set([0])
  for (const frame of waiting)
    for (const [index, code] of rangesOf(frame).entries()) bounds.add(index % 2 === 0 ? code : code + 1)
  return Uint32Array.from(bounds).sort()
}

/** The index of the last bound that isn't higher. */
function findBound(bounds: Uint32Array, code: number): number {
  let [low, high] = [0, bounds.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (bounds[middle]! <= code) low = middle
    else high = middle - 1
  }
  return low
}

/** Whether a character between these two can come next. */
export function mayContinue({ waiting }: Place, low: number, high: number): boolean {
  return waiting.some((frame) => includes(rangesOf(frame), low, high))
}

/** All characters that can come next; undefined if there are more than `most`. */
export function nextCharacters({ waiting }: Place, most: number): Set<number> | undefined {
  const found = new Set<number>()
  for (const frame of waiting) {
    const ranges = rangesOf(frame)
    for (let index = 0; index < ranges.length; index += 2)
      for (let code = ranges[index]!; code <= ranges[index + 1]!; code++)
        if (found.add(code).size > most) return undefined
  }
  return found
}

const NONE = new Uint32Array()

function rangesOf({ step }: Frame): Uint32Array {
  if (step.type === 'characters') return step.ranges
  return step.type === 'repeat' && step.part instanceof Uint32Array ? step.part : NONE
}

/** None if a rule has more than one line, or a comment. */
function readBodies(grammar: string): ReadonlyMap<string, string> {
  const lines = grammar.split('\n').filter((line) => line !== '')
  const bodies = new Map<string, string>()
  for (const line of lines) {
    const [, name, body] = /^([a-zA-Z0-9-]+) ::= (.*)$/su.exec(line) ?? []
    if (name === undefined || body === undefined) return new Map()
    bodies.set(name, body)
  }
  return bodies
}
