// Unknown fields are ignored, but a request that gets an error anyway hears of one that looks like a mistyped field.

import type { Fields } from '@hearth/protocol'
import { sent } from '../json/fields.ts'
import { KNOWN_FIELDS } from './steps.ts'

/** A body has few fields; one with thousands is not read for this. */
const MOST_FIELDS = 64
const LONGEST_NAME = 32
/** With fewer letters, nearly everything is near. */
const SHORTEST_NAME = 4
/** In a shorter name, another letter makes another word: `top_k` is not a mistyped `top_p`. */
const SHORTEST_REPLACED = 6

/**
 * A sentence for the end of an error message; empty if no field looks mistyped. It quotes nothing but a name that is nearly one of ours, and
 * doesn't depend on the order of the fields.
 */
export function describeMisspelled(body: Fields): string {
  const names = Object.keys(body)
  if (names.length > MOST_FIELDS) return ''
  const strange = names.filter((name) => name.length <= LONGEST_NAME && !isKnown(name)).toSorted()
  for (const known of KNOWN_FIELDS) {
    if (known.length < SHORTEST_NAME || sent(body, known) !== undefined) continue
    const name = strange.find((other) => isNear(simplify(other), simplify(known)))
    if (name !== undefined) return ` You sent '${name}', which is not a known field. Did you mean '${known}'?`
  }
  return ''
}

function isKnown(name: string): boolean {
  return KNOWN_FIELDS.includes(name)
}

/** `maxTokens` is the same as `max_tokens`. */
function simplify(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

/** At most one letter is missing, too many or wrong, or two are swapped. */
function isNear(name: string, known: string): boolean {
  let start = 0
  while (start < known.length && name[start] === known[start]) start += 1
  let end = 0
  while (end < Math.min(name.length, known.length) - start && name.at(-1 - end) === known.at(-1 - end)) end += 1
  const [is, should] = [name.slice(start, name.length - end), known.slice(start, known.length - end)]
  if (is.length + should.length <= 1) return true
  if (is.length === 1 && should.length === 1) return known.length >= SHORTEST_REPLACED
  return is.length === 2 && is === should.split('').toReversed().join('')
}
