// What a client remembers of the documents of one seal and organization, so that nobody can hand it an older one.

import { createHash } from 'node:crypto'
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
}

export type SeenReason = 'older-list' | 'two-lists-with-one-number'

/** A document that is missing counts as older than each that was seen. */
export function compareWithSeen(
  document: SeenDocument | undefined,
  seen: SeenDocument | undefined,
): SeenReason | undefined {
  if (!seen) return undefined
  if (!document || document.number < seen.number) return 'older-list'
  return document.number === seen.number && document.hash !== seen.hash ? 'two-lists-with-one-number' : undefined
}

export function toSeen(number: number, { text }: SignedText): SeenDocument {
  return { number, hash: createHash('sha256').update(text).digest('base64url') }
}
