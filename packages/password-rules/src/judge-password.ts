import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './bounds.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

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

// How many guesses someone needs who knows how people choose passwords, as a power of two. A password is read as words that everyone uses,
// years, runs such as abc or 111, and single characters; the cheapest reading counts.
const LONGEST_WORD = Math.max(...Array.from(COMMON_PASSWORDS, ({ length }) => length))
const SHORTEST_WORD = 3
const WORD_BITS = Math.log2(COMMON_PASSWORDS.size)
/** About a hundred of them are likely. */
const YEAR_BITS = 7
const YEAR = /^(?:19|20)\d\d$/
/** The next character of a run: it goes on, or it doesn't. */
const RUN_BITS = 1

/** Between words, everyone expects it. */
const SPACE_BITS = 1

/** Letters that people replace with characters that look similar. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

function estimateBits(password: string): number {
  const text = password.toLowerCase()
  const plain = withoutLookalikes(text)
  /** For each length, the bits of the password's beginning. */
  const bits = [0]
  for (let end = 1; end <= text.length; end++) {
    let best = (bits[end - 1] ?? 0) + characterBits(text, end - 1)
    for (let start = Math.max(0, end - LONGEST_WORD); start <= end - SHORTEST_WORD; start++)
      best = Math.min(best, (bits[start] ?? 0) + pieceBits(text.slice(start, end), plain.slice(start, end)))
    bits.push(best)
  }
  return bits[text.length] ?? 0
}

function withoutLookalikes(text: string): string {
  return Array.from({ length: text.length }, (_, at) => LOOKALIKES[text.charAt(at)] ?? text.charAt(at)).join('')
}

function pieceBits(piece: string, plain: string): number {
  if (COMMON_PASSWORDS.has(piece) || COMMON_PASSWORDS.has(plain)) return WORD_BITS
  return YEAR.test(piece) ? YEAR_BITS : Infinity
}

function characterBits(text: string, at: number): number {
  const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
  if (Math.abs(step) <= 1) return RUN_BITS
  const character = text.charAt(at)
  if (character === ' ') return SPACE_BITS
  if (/\d/.test(character)) return Math.log2(10)
  return Math.log2(/[a-z]/.test(character) ? 26 : 64)
}
