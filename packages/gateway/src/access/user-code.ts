// The code a person reads off a device and types into the console (RFC 8628): eight letters of an alphabet without vowels and look-alikes,
// shown as BCDF-GHJK. The first half finds the request; the second half proves it. So a wrong guess is a guess at one request, and counts
// against it.

import { randomInt } from 'node:crypto'
import { digestSecret } from './keys.ts'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const HALF = 4
const shape = new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`)

export interface UserCode {
  /** As it is shown. */
  text: string
  /** The half that finds the request. */
  selector: string
  digest: string
}

export function createUserCode(): UserCode {
  const letters = Array.from({ length: 2 * HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return { text: `${letters.slice(0, HALF)}-${letters.slice(HALF)}`, ...split(letters) }
}

/** What a person typed, in any case and with any spaces and dashes; undefined when it cannot be a code. */
export function readUserCode(typed: string): Omit<UserCode, 'text'> | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return shape.test(letters) ? split(letters) : undefined
}

function split(letters: string): Omit<UserCode, 'text'> {
  return { selector: letters.slice(0, HALF), digest: digestSecret(letters) }
}
