// The code that a person reads on a device and types into the console (RFC 8628): eight letters without vowels or look-alikes, shown as
// BCDF-GHJK. The first half finds the request and the second half proves it, so every wrong guess counts against one request.

import { randomInt } from 'node:crypto'
import { digestSecret } from './secrets.ts'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const HALF = 4
const shape = new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`)

export interface UserCode {
  /** As shown to people. */
  text: string
  /** The half that finds the request. */
  selector: string
  digest: string
}

export function createUserCode(): UserCode {
  const letters = Array.from({ length: 2 * HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return { text: `${letters.slice(0, HALF)}-${letters.slice(HALF)}`, ...split(letters) }
}

/** Accepts any case, spaces and dashes; undefined if the text cannot be a code. */
export function readUserCode(typed: string): Omit<UserCode, 'text'> | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return shape.test(letters) ? split(letters) : undefined
}

function split(letters: string): Omit<UserCode, 'text'> {
  return { selector: letters.slice(0, HALF), digest: digestSecret(letters) }
}
