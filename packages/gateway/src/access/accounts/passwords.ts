// Stretches passwords with scrypt, so that whoever steals the database needs long for each guess. The work is one of those that OWASP lists, and
// is stored with the hash, so that it can grow: an older hash works until its person signs in, and is replaced then.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError, retryAfter } from '@hearth/chat'

interface Work {
  /** A power of two. */
  N: number
  r: number
  p: number
}

/** 32 MiB, and a quarter of a second on an old machine. OWASP lists more memory for less time too, but everyone can make the gateway do this. */
export const WORK: Readonly<Work> = { N: 2 ** 15, r: 8, p: 3 }
/** Of the account library, whose hashes have no prefix. */
const FIRST_WORK: Work = { N: 2 ** 14, r: 16, p: 1 }

/** More than any of these needs. */
const MOST_BYTES = 2 ** 26
const KEY_BYTES = 64
const SALT_BYTES = 16
const FORMAT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const FIRST_FORMAT = /^([0-9a-f]{32}):([0-9a-f]{128})$/

/** At the same moment. Node has four threads for everything of this kind, such as reading files. */
export const PASSWORDS_AT_ONCE = 2
/** The last of them waits about ten seconds, and would be too late much beyond. */
export const MOST_PASSWORDS_WAITING = 64

interface Stretched {
  work: Work
  salt: string | Buffer
  key: Buffer
}

export async function hashPassword(password: string): Promise<string> {
  const work = currentWork
  const salt = randomBytes(SALT_BYTES)
  const key = await stretch(password, salt, work)
  return `$scrypt$ln=${Math.log2(work.N)},r=${work.r},p=${work.p}$${unpadded(salt)}$${unpadded(key)}`
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const { work, salt, key } = readHash(hash)
  return timingSafeEqual(await stretch(password, salt, work), key)
}

export function isOutdated(hash: string): boolean {
  const { N, r, p } = readHash(hash).work
  return N !== currentWork.N || r !== currentWork.r || p !== currentWork.p
}

let currentWork: Work = WORK

/** For tests, most of whose time would go into this. */
export function workLess(work: Work): void {
  currentWork = work
}

function readHash(hash: string): Stretched {
  const [, log, r, p, salt = '', key = ''] = FORMAT.exec(hash) ?? []
  if (log !== undefined) {
    const work = { N: 2 ** Number(log), r: Number(r), p: Number(p) }
    return { work, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
  }
  const [, firstSalt, firstKey] = FIRST_FORMAT.exec(hash) ?? []
  if (firstSalt === undefined || firstKey === undefined) throw new Error('the database holds an unknown password hash')
  // The library takes the text of the salt for the salt.
  return { work: FIRST_WORK, salt: firstSalt, key: Buffer.from(firstKey, 'hex') }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const derive = promisify<string, string | Buffer, number, object, Buffer>(scrypt)
let running = 0
const waiting: (() => void)[] = []

async function stretch(password: string, salt: string | Buffer, work: Work): Promise<Buffer> {
  await takeTurn()
  try {
    return await derive(password.normalize('NFKC'), salt, KEY_BYTES, { ...work, maxmem: MOST_BYTES })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

async function takeTurn(): Promise<void> {
  if (running < PASSWORDS_AT_ONCE) {
    running += 1
    return
  }
  if (waiting.length >= MOST_PASSWORDS_WAITING)
    throw new ApiError(
      'service_unavailable',
      'Too many people are signing in at the moment. Try again in a few seconds.',
      null,
      retryAfter(5_000),
    )
  await new Promise<void>((resolve) => waiting.push(resolve))
}
