// What a client remembers of the documents of one seal and organization, so that nobody can hand it an older one, nor one that was signed on
// top of an older one.

import { createHash } from 'node:crypto'
import { readBase64Url } from '../base64.ts'
import { readList } from '../fields.ts'
import { MAX_PREVIOUS } from '../limits.ts'
import type { SignedText } from './signed-text.ts'

export interface Seen {
  administrators?: SeenDocument
  devices?: SeenDocument
}

/** The newest document that was seen. */
export interface SeenDocument {
  number: number
  /** SHA-256 of its text, as base64url. */
  hash: string
  /** It names the documents before it. From then on, all of them have to. */
  isChained?: true
}

export type SeenReason = 'older-list' | 'two-lists-with-one-number' | 'not-a-chain' | 'too-far'

/** A document that is missing counts as older than each that was seen. */
export function compareWithSeen(
  document: (SeenDocument & Chained) | undefined,
  seen: SeenDocument | undefined,
): SeenReason | undefined {
  if (!seen) return undefined
  if (!document || document.number < seen.number) return 'older-list'
  if (document.number === seen.number) return document.hash === seen.hash ? undefined : 'two-lists-with-one-number'
  const { previous } = document
  // Programs from before there were chains sign documents without one.
  if (previous === undefined) return seen.isChained ? 'not-a-chain' : undefined
  const index = document.number - seen.number - 1
  // The chain began after the one that was seen.
  if (index >= previous.length && !seen.isChained) return undefined
  if (index >= MAX_PREVIOUS) return 'too-far'
  return previous[index] === seen.hash ? undefined : 'not-a-chain'
}

export interface Chained {
  /** Hashes of the documents before it, newest first. Absent in documents of programs that knew no chains. */
  previous?: readonly string[]
}

/** What the next document has to name. `last` is the one that it follows, undefined if it is the first. */
export function chainAfter(last: (SeenDocument & Chained) | undefined): string[] {
  return last ? [last.hash, ...(last.previous ?? [])].slice(0, MAX_PREVIOUS) : []
}

export function toSeen(number: number, { text }: SignedText, { previous }: Chained = {}): SeenDocument & Chained {
  const hash = createHash('sha256').update(text).digest('base64url')
  return { number, hash, ...(previous && { isChained: true, previous }) }
}

/** Undefined if it is malformed. A document can't name more than there were. */
export function readChain(value: unknown, number: number): Chained | undefined {
  if (value === undefined) return {}
  const previous = readList(value, Math.min(MAX_PREVIOUS, number - 1), (hash) =>
    readBase64Url(hash, 32) ? (hash as string) : undefined,
  )
  return previous && { previous }
}
