// A bound: the most that something from outside can make the gateway keep or do, and what happens beyond it. Its numbers are the constants
// and settings that the code itself uses.

import { readConfig, type Config } from '../../config.ts'

export interface Bound {
  /** For readers of docs/security.md. */
  readonly what: string
  readonly most: readonly Amount[]
  /** What it bounds, unless it is memory and processor. `database` means rows: they also take memory in the gateway where access is checked. */
  readonly of?: readonly Resource[]
  readonly beyond: string
  readonly shownBy: Evidence
}

export type Resource = 'memory' | 'processor' | 'database'

export interface Amount {
  readonly value: number
  /** With its unit. */
  readonly text: string
}

/** A test with this title, or an attack with this name. */
export interface Evidence {
  readonly file: string
  readonly title: string
}

const KIB = 1024
const MIB = 1024 * KIB
const DEFAULTS = readConfig({})

/** 20 MiB, 256 KiB */
export function bytes(value: number, words = ''): Amount {
  return amount(value, value % MIB === 0 ? `${value / MIB} MiB` : `${value / KIB} KiB`, words)
}

/** 120 s, 30 min */
export function time(value: number, words = ''): Amount {
  const seconds = value / 1_000
  return amount(value, seconds > 600 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`, words)
}

export function count(value: number, words: string): Amount {
  return amount(value, value.toLocaleString('en-US'), words)
}

export function share(value: number, words: string): Amount {
  return amount(value, `${value * 100}%`, words)
}

/** With its default. */
export function setting(name: SettingWithNumber, words = ''): Amount {
  const { value, text } = withUnit(name, DEFAULTS[name])
  return amount(value, `\`${name}\` (${text})`, words)
}

/** Of a setting that follows from others unless it is set. */
export function settingWithout(name: keyof Config, value: number, fallback: string): Amount {
  return amount(value, `\`${name}\` (${fallback})`, '')
}

type SettingWithNumber = { [Name in keyof Config]: Config[Name] extends number ? Name : never }[keyof Config]

function withUnit(name: string, value: number): Amount {
  if (name.endsWith('_MS')) return time(value)
  if (name.endsWith('_BYTES')) return bytes(value)
  return count(value, '')
}

function amount(value: number, text: string, words: string): Amount {
  return { value, text: words === '' ? text : `${text} ${words}` }
}

/** `file` is in packages/gateway/src. */
export function test(file: string, title: string): Evidence {
  return elsewhere(`packages/gateway/src/${file}`, title)
}

export function elsewhere(file: string, title: string): Evidence {
  return { file, title }
}

/** One of e2e/hostile/attacks, which a bystander must not notice. */
export function attack(file: string, title = file): Evidence {
  return elsewhere(`e2e/hostile/attacks/${file}.ts`, title)
}
