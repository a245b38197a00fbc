import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './bounds.ts'
import { estimateBits, withoutLookalikes } from './estimate-bits.ts'

export type PasswordVerdict =
  | {
      kind: 'rejected'
      reason: 'too-short' | 'too-long' | 'product' | 'email' | 'guessable'
      /** Says what is wrong and what to do. */
      message: string
    }
  | { kind: 'accepted'; strength: 'fair' | 'good' | 'strong' }

type Reason = Extract<PasswordVerdict, { kind: 'rejected' }>['reason']

/** A billion guesses: two common words, or one with a few digits. */
const FEWEST_BITS = 30
const GOOD_BITS = 45
const STRONG_BITS = 70
const PRODUCT = 'hearth'
/** Shorter parts of an address are in too many words. */
const SHORTEST_NAME = 4

const MESSAGES: Record<Reason, string> = {
  'too-short': `Use at least ${SHORTEST_PASSWORD} characters.`,
  'too-long': `Use at most ${LONGEST_PASSWORD} characters.`,
  product: 'Leave out the name Hearth: it is among the first guesses.',
  email: 'Leave out your email address: it is among the first guesses.',
  guessable: 'This is easy to guess. Use four or more random words, or let a password manager choose.',
}

export function judgePassword(password: string, email = ''): PasswordVerdict {
  const bits = password.length > LONGEST_PASSWORD ? 0 : estimateBits(password)
  const reason = findReason(password, email, bits)
  if (reason) return { kind: 'rejected', reason, message: MESSAGES[reason] }
  return { kind: 'accepted', strength: bits >= STRONG_BITS ? 'strong' : bits >= GOOD_BITS ? 'good' : 'fair' }
}

function findReason(password: string, email: string, bits: number): Reason | undefined {
  if (password.length < SHORTEST_PASSWORD) return 'too-short'
  if (password.length > LONGEST_PASSWORD) return 'too-long'
  const text = password.toLowerCase()
  const contains = (name: string) => text.includes(name) || withoutLookalikes(text).includes(name)
  if (contains(PRODUCT)) return 'product'
  if (namesIn(email).some(contains)) return 'email'
  return bits < FEWEST_BITS ? 'guessable' : undefined
}

/** `ann.lee-smith@acme.test` → `ann.lee-smith`, `smith` */
function namesIn(email: string): string[] {
  const [local = ''] = email.toLowerCase().split('@', 1)
  return [local, ...local.split(/[^\p{L}]+/u)].filter(({ length }) => length >= SHORTEST_NAME)
}
