// Writes a text character by character, as a follower lets it: a model that hardly knows any
// characters, and so repeats itself a lot.

import { rangesOf, waitsFor, type Frame } from '../follow/place.ts'
import type { FollowedItems, ItemFollower } from '../items/item-follower.ts'
import type { Chance } from './random-schema.ts'

/** All that it writes in a string, if it can. */
const KNOWN = Array.from('ab', (one) => one.codePointAt(0)!)
const ENDS = Array.from('"]},', (one) => one.codePointAt(0)!)
const FEW = 30
const LONG = 400
const MAX_TEXT = 4_000

export interface RandomWriting {
  text: string
  /** 'stuck' if no character could follow. */
  end: 'complete' | 'too long' | 'stuck'
}

export function randomWriting(follower: ItemFollower, chance: Chance): RandomWriting {
  let place = follower.start()
  let text = ''
  while (text.length < MAX_TEXT) {
    if (place.ways.isComplete && chance.below(2) === 0) return { text, end: 'complete' }
    const next = writeOne(follower, place, text.length > LONG, chance)
    if (next === undefined) return { text, end: place.ways.isComplete ? 'complete' : 'stuck' }
    text += next.character
    place = next.place
  }
  return { text, end: 'too long' }
}

function writeOne(follower: ItemFollower, place: FollowedItems, hurries: boolean, chance: Chance) {
  const codes = [...new Set(place.ways.list.flatMap(({ place: { waiting } }) => waiting.flatMap(codesOf)))]
  const tried = shuffled(codes, chance)
  if (hurries) tried.sort((a, b) => Number(ENDS.includes(b)) - Number(ENDS.includes(a)))
  for (const character of tried.map((code) => String.fromCodePoint(code))) {
    const after = follower.followText(place, character)
    if (after !== undefined) return { character, place: after }
  }
  return undefined
}

function codesOf(frame: Frame): number[] {
  const ranges = rangesOf(frame)
  const all = ranges.flatMap(([from, to]) =>
    Array.from({ length: Math.min(FEW, to - from + 1) }, (_, index) => from + index),
  )
  const known = KNOWN.filter((code) => waitsFor(frame, code))
  return known.length > 0 && all.length >= FEW ? known : all
}

function shuffled(codes: readonly number[], chance: Chance): number[] {
  return codes
    .map((code) => ({ code, order: chance.below(1_000_000) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ code }) => code)
}
