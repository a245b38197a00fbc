// Places of a grammar that a text can get to.

import type { CharacterRange } from '../grammar/expression.ts'
import type { Mark, Step } from './steps.ts'

/** A step of a rule, and how those around it go on. */
export interface Frame {
  readonly id: number
  readonly step: Step
  /** How often a repeated part was there. */
  readonly count: number
  /** Undefined in the outermost rule. */
  readonly next: Frame | undefined
}

export interface Place {
  /** Each for a character. */
  readonly waiting: readonly Frame[]
  /** Whether the text may end here. */
  readonly mayEnd: boolean
  /** Characters from one of these up to the next lead to the same place. */
  readonly bounds: Uint32Array
  /** Behind each bound; those that nobody asked for are missing. */
  readonly targets: (KnownLanding | undefined)[]
}

/** Where a character leads to. */
export interface Landing {
  /** Undefined if the grammar is more than can be followed. */
  readonly place: Place | undefined
  /** The same behind marks. */
  readonly marked: readonly (readonly [mark: Mark, landing: Landing])[]
}

export interface KnownLanding extends Landing {
  /** What it took to find it. */
  readonly work: number
}

export function placeOf(waiting: readonly Frame[], mayEnd: boolean): Place {
  return { waiting, mayEnd, bounds: findBounds(waiting), targets: [] }
}

function findBounds(waiting: readonly Frame[]): Uint32Array {
  const bounds = new Set([0])
  for (const frame of waiting)
    for (const [index, code] of codesOf(frame).entries()) bounds.add(index % 2 === 0 ? code : code + 1)
  return Uint32Array.from(bounds).sort()
}

/** The index of the last bound that isn't higher. */
export function findBound(bounds: Uint32Array, code: number): number {
  let [low, high] = [0, bounds.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (bounds[middle]! <= code) low = middle
    else high = middle - 1
  }
  return low
}

export function isAlive({ waiting, mayEnd }: Place): boolean {
  return mayEnd || waiting.length > 0
}

export function waitsFor(frame: Frame, low: number, high = low): boolean {
  const codes = codesOf(frame)
  for (let index = 0; index < codes.length; index += 2) {
    if (high < codes[index]!) return false
    if (low <= codes[index + 1]!) return true
  }
  return false
}

export function rangesOf(frame: Frame): CharacterRange[] {
  const codes = codesOf(frame)
  const ranges: CharacterRange[] = []
  for (let index = 0; index < codes.length; index += 2) ranges.push([codes[index]!, codes[index + 1]!])
  return ranges
}

const NONE = new Uint32Array()

/** The first and the last of each range that it waits for, in order. */
function codesOf({ step }: Frame): Uint32Array {
  if (step.type === 'characters') return step.ranges
  return step.type === 'repeat' && step.part instanceof Uint32Array ? step.part : NONE
}
