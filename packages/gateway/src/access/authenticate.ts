// Turns the Authorization header into a caller. A wrong key, a deleted key and a key whose creator has left all get the same error, so
// nobody can find out which keys ever existed.

import { ApiError } from '@hearth/chat'
import type { AccessBook, Caller } from './book/access-book.ts'
import { digestSecret } from './secrets/secrets.ts'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/** `header` is the request's only Authorization header, or undefined if there was none or more than one. */
export function authenticate(header: string | undefined, book: AccessBook): Caller {
  const known = header === undefined ? undefined : book.digests.get(header)
  const digest = known ?? digestSecret(readBearer(header))
  if (!book.isFresh)
    throw new ApiError(
      'service_unavailable',
      'The service cannot verify API keys right now. Retry in a few seconds.',
      null,
      { 'retry-after': '2' },
    )
  const caller = book.caller(digest)
  if (!caller || caller.expiresAt <= Date.now()) throw incorrectKey()
  if (known === undefined && header !== undefined) book.digests.keep(header, digest)
  return caller
}

/** Checks again after a wait: the key may have been revoked while the body was arriving. */
export function confirm(caller: Caller, book: AccessBook): void {
  if (!book.isLive(caller) || caller.expiresAt <= Date.now()) throw incorrectKey()
}

function incorrectKey(): ApiError {
  return new ApiError(
    'invalid_api_key',
    'Incorrect API key provided. Check the key, or create a new one on the Keys page of the console.',
    null,
    CHALLENGE,
  )
}

/** The scheme is case-insensitive and may be followed by any number of spaces. */
export function readBearer(header: string | undefined): string {
  const match = header === undefined ? null : /^bearer +(\S+)$/i.exec(header)
  if (match?.[1]) return match[1]
  throw new ApiError(
    'invalid_api_key',
    `You didn't provide an API key. Send exactly one header 'Authorization: Bearer YOUR_KEY'.`,
    null,
    CHALLENGE,
  )
}
