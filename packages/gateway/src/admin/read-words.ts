// The values of arguments and options. Whatever is wrong with one is said with an example of a right one.

import { InvalidArgumentError } from 'commander'
import type { Role } from '../store/store.ts'

const ROLES: readonly Role[] = ['owner', 'admin', 'member']
const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const MAX_NAME_LENGTH = 256
const MAX_DURATION_MS = 10 * 365 * UNITS_MS['d']!

export function readName(text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name
  throw new InvalidArgumentError(`A name has 1 to ${MAX_NAME_LENGTH} characters and no line breaks.`)
}

export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= MAX_NAME_LENGTH) return text.toLowerCase()
  throw new InvalidArgumentError('An e-mail address looks like ann@acme.test.')
}

export function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role) return role
  throw new InvalidArgumentError(`A role is one of ${ROLES.join(', ')}.`)
}

/** `30m`, `12h` or `90d` from now. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const durationMs = Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN)
  if (durationMs > 0 && durationMs <= MAX_DURATION_MS) return durationMs
  throw new InvalidArgumentError('A duration looks like 30m, 12h or 90d, up to ten years.')
}

export function readCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  throw new InvalidArgumentError('A whole number from 1 on.')
}

export function readGatewayUrl(text: string): string {
  const url = URL.parse(text)
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/$/, '')
  throw new InvalidArgumentError('The address of a gateway looks like https://hearth.example.com.')
}
