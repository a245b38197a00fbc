// A grammar together with a follower, which knows what llama.cpp's reader can't: the items that an array has so far. A token fits if both
// allow it.

import { ItemFollower, type FollowedItems, type GrammarTree, type WrittenGrammar } from '@hearth/json-schema-grammar'
import type { Grammar, GrammarState, Native, Token, Vocabulary } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'

/** Throws if the text is not a valid grammar. */
export async function compileWritten(
  native: Pick<Native, 'compileGrammar' | 'vocabulary'>,
  { text, tree }: WrittenGrammar,
): Promise<Grammar> {
  const grammar = await native.compileGrammar(text)
  return tree === undefined ? grammar : withItems(grammar, tree, native.vocabulary)
}

interface FollowedState {
  readonly native: GrammarState
  place: FollowedItems
  /** Where the token that was asked about last leads to: mostly, it is the next one. */
  last: { token: Token; place: FollowedItems | undefined } | undefined
}

function withItems(grammar: Grammar, tree: GrammarTree, vocabulary: Vocabulary): Grammar {
  const follower = new ItemFollower(tree)
  const pieces = piecesOf(vocabulary)
  const after = (state: FollowedState, token: Token): FollowedItems | undefined => {
    if (state.last?.token !== token) state.last = { token, place: follow(follower, state.place, pieces(token)) }
    return state.last.place
  }
  const vetoes = (state: GrammarState, token: Token): boolean => {
    const own = state as FollowedState
    return vocabulary.isEnd(token) ? !own.place.ways.isComplete : after(own, token) === undefined
  }
  return {
    start: () => ({ native: grammar.start(), place: follower.start(), last: undefined }) satisfies FollowedState,
    copy: (state) => copyOf(grammar, state as FollowedState),
    forDraw: (state) => grammar.forDraw((state as FollowedState).native),
    accept(state, token) {
      const own = state as FollowedState
      const place = after(own, token)
      if (place === undefined) throw new Error('The token repeats an item')
      grammar.accept(own.native, token)
      own.place = place
      own.last = undefined
    },
    allows: (state, token) => grammar.allows((state as FollowedState).native, token) && !vetoes(state, token),
    few: (state) => grammar.few((state as FollowedState).native)?.filter((token) => !vetoes(state, token)),
    // A draw beside these would take tokens that have a veto.
    misfits: () => undefined,
    vetoes,
    matches: (text) => grammar.matches(text) && follower.allows(text),
  }
}

function copyOf(grammar: Grammar, { native, place }: FollowedState): FollowedState {
  return { native: grammar.copy(native), place, last: undefined }
}

function follow(follower: ItemFollower, place: FollowedItems, piece: string | Uint8Array): FollowedItems | undefined {
  if (typeof piece !== 'string') return follower.follow(place, piece)
  return place.partial.length === 0 ? follower.followText(place, piece) : follower.follow(place, Buffer.from(piece))
}

const known = new WeakMap<Vocabulary, (token: Token) => string | Uint8Array>()

/** A token's text, or its bytes if it begins or ends inside a character. */
function piecesOf(vocabulary: Vocabulary): (token: Token) => string | Uint8Array {
  return known.getOrInsertComputed(vocabulary, readPieces)
}

function readPieces(vocabulary: Vocabulary): (token: Token) => string | Uint8Array {
  const bytes = createTokenBytes(vocabulary)
  const pieces: (string | Uint8Array | undefined)[] = []
  return (token) => (pieces[token] ??= toPiece(bytes.raw(token)))
}

function toPiece(raw: Buffer): string | Uint8Array {
  const text = raw.toString()
  return text.includes('\u{fffd}') ? raw : text
}
