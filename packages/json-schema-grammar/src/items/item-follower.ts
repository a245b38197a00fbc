// Follows a text through a grammar, character by character, and knows which items its arrays have.
// llama.cpp reads the same grammar faster, but can't remember items: a text has to be allowed by
// both. A place in a text is never changed, so it can be kept and continued twice.

import { GrammarFollower } from '../follow/grammar-follower.ts'
import type { GrammarTree } from '../grammar/grammar-rules.ts'
import { decode, type Decoded } from './decode.ts'
import { hasWayOut } from './ways-out.ts'
import { Ways } from './ways.ts'
import { beginOf } from './written-items.ts'

/** How far a text has come. */
export interface FollowedItems {
  readonly ways: Ways
  /** The text since the outermost open item began, and how long all text before it is. */
  readonly text: string
  readonly before: number
  /** The bytes of a character that isn't complete. */
  readonly partial: Uint8Array
}

const NO_BYTES = new Uint8Array()

export class ItemFollower {
  readonly #follower: GrammarFollower

  constructor(tree: GrammarTree) {
    this.#follower = new GrammarFollower(tree)
  }

  start(): FollowedItems {
    return { ways: Ways.start(this.#follower), text: '', before: 0, partial: NO_BYTES }
  }

  /** Undefined if the text can't continue like this, or could never be complete then. */
  follow(place: FollowedItems, more: Uint8Array): FollowedItems | undefined {
    const decoded = decode(place.partial.length === 0 ? more : joined(place.partial, more))
    return decoded && this.#follow(place, decoded)
  }

  /** The same for whole characters. */
  followText(place: FollowedItems, more: string): FollowedItems | undefined {
    return this.#follow(place, { text: more, partial: NO_BYTES })
  }

  #follow(place: FollowedItems, { text: more, partial }: Decoded): FollowedItems | undefined {
    const text = place.text + more
    let { ways } = place
    let end = place.text.length
    for (const character of more) {
      end += character.length
      ways = ways.take(character.codePointAt(0)!, { text, before: place.before, end })
      if (ways.list.length === 0) return undefined
    }
    const isSame = ways === place.ways && partial.length === 0
    if (!isSame && !hasWayOut(ways, { text, before: place.before, end }, partial)) return undefined
    return { ways, partial, ...needed(ways, text, place.before) }
  }

  allows(text: string): boolean {
    return this.followText(this.start(), text)?.ways.isComplete === true
  }
}

/** Only open items need the text. */
function needed(ways: Ways, text: string, before: number): Pick<FollowedItems, 'text' | 'before'> {
  const end = before + text.length
  const from = ways.list.reduce((least, { scope }) => Math.min(least, beginOf(scope) ?? end), end)
  return { text: text.slice(from - before), before: from }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
