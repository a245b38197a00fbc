// Reads the values of arguments and options. Every error shows what a valid value looks like.

import { InvalidArgumentError, Option } from 'commander'
import type { Role } from '../store/tables/people.ts'
import { PRINTABLE } from '../text/printable.ts'

const ROLES: readonly Role[] = ['owner', 'admin', 'member']
const DAY_MS = 86_400_000
const UNITS_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: DAY_MS }
const MAX_NAME_LENGTH = 256
const MAX_DURATION_MS = 10 * 365 * DAY_MS

export function readName(text: string): string {
  const name = text.trim()
  if (name !== '' && name.length <= MAX_NAME_LENGTH && PRINTABLE.test(name)) return name
  throw new InvalidArgumentError(`Use 1 to ${MAX_NAME_LENGTH} characters without line breaks.`)
}

export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= MAX_NAME_LENGTH) return text.toLowerCase()
  throw new InvalidArgumentError('Use an email address like ann@acme.test.')
}

export function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role) return role
  throw new InvalidArgumentError(`Use one of the roles ${ROLES.join(', ')}.`)
}

/** Reads `30m`, `12h` or `90d` as milliseconds. */
export function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const durationMs = Number(count) * (UNITS_MS[unit ?? ''] ?? Number.NaN)
  if (durationMs > 0 && durationMs <= MAX_DURATION_MS) return durationMs
  throw new InvalidArgumentError('Use a duration like 30m, 12h or 90d, up to ten years.')
}

/** The option --expires-in, with a default that `--help` shows as `shown`. */
export function lifetime(help: string, fallbackMs: number, shown: string): Option {
  return new Option('--expires-in <duration>', help).argParser(readDuration).default(fallbackMs, shown)
}

export function readCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count > 0) return count
  throw new InvalidArgumentError('Use a whole number from 1 up.')
}

export function readGatewayUrl(text: string): string {
  const url = URL.parse(text)
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/$/, '')
  throw new InvalidArgumentError('Use a URL like https://hearth.example.com.')
}
