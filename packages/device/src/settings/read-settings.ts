// Combines flags, environment and settings file. An invalid value or an unknown name is an error: a typo must not silently turn into the
// default.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { isFields, type Fields } from '@hearth/sealing/fields'
import {
  environmentName,
  kebab,
  RETIRED,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
} from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingSources {
  /** As parsed by commander: text, or true and false for switches. */
  flags: Readonly<Record<string, string | boolean | undefined>>
  environment: Environment
  file?: SettingsFile | undefined
}

export interface SettingsFile {
  path: string
  fields: Fields
}

export interface ReadSettings {
  settings: Settings
  /** Where each value came from, in words. */
  origins: Record<SettingName, string>
  /** What to tell whoever sets something that has no effect anymore. */
  notes: string[]
}

/** Environment variables that are read elsewhere. */
const OTHER_ENVIRONMENT = ['HEARTH_DEVICE_HOME', 'HEARTH_DEVICE_CONFIG', 'HEARTH_DEVICE_TOKEN']

export function readSettings(sources: SettingSources): ReadSettings {
  rejectUnknown(sources)
  const settings: Partial<Record<SettingName, unknown>> = {}
  const origins: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const found = find(name, sources)
    settings[name] = found === undefined ? SETTINGS[name].fallback : parse(name, found)
    origins[name] = found?.origin ?? 'default'
  }
  return { settings: settings as Settings, origins: origins as Record<SettingName, string>, notes: notesOf(sources) }
}

function notesOf(sources: SettingSources): string[] {
  return Object.entries(RETIRED).flatMap(([name, { why }]) => {
    const found = find(name, sources)
    return found === undefined ? [] : [`${found.origin} has no effect anymore: ${why} → remove it`]
  })
}

interface Found {
  text: string
  origin: string
}

function find(name: string, { flags, environment, file }: SettingSources): Found | undefined {
  if (flags[name] !== undefined) return { text: String(flags[name]), origin: `--${kebab(name)}` }
  const fromEnvironment = environment[environmentName(name)]
  if (fromEnvironment !== undefined && fromEnvironment !== '')
    return { text: fromEnvironment, origin: environmentName(name) }
  const fromFile = file?.fields[kebab(name)]
  return fromFile === undefined ? undefined : { text: asText(fromFile), origin: `${file?.path}: ${kebab(name)}` }
}

/** A list in the file becomes the comma-separated text that flags and the environment use. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parse(name: SettingName, { text, origin }: Found): unknown {
  try {
    return SETTINGS[name].parse(text)
  } catch (error) {
    throw new CommandError(`Invalid value "${text}" for ${origin}: ${describeError(error)}`)
  }
}

function rejectUnknown({ environment, file }: SettingSources): void {
  const known = new Set([...SETTING_NAMES.map(environmentName), ...OTHER_ENVIRONMENT])
  const retired = Object.keys(RETIRED)
  for (const name of Object.keys(environment))
    if (name.startsWith('HEARTH_DEVICE_') && !known.has(name) && !retired.map(environmentName).includes(name))
      throw new CommandError(`Unknown setting ${name} in the environment`, `the settings are ${[...known].join(', ')}`)
  const keys = SETTING_NAMES.map(kebab)
  for (const key of Object.keys(file?.fields ?? {}))
    if (!keys.includes(key) && !retired.map(kebab).includes(key))
      throw new CommandError(`Unknown setting "${key}" in ${file?.path}`, `the settings are ${keys.join(', ')}`)
}

/** Reads the file given by --config, otherwise settings.toml or settings.json in the state folder, if there is one. */
export function loadSettingsFile(home: string, configured: string | undefined): SettingsFile | undefined {
  const candidates =
    configured === undefined ? ['settings.toml', 'settings.json'].map((name) => join(home, name)) : [configured]
  for (const path of candidates) {
    const text = readIfThere(path)
    if (text !== undefined) return { path, fields: parseFile(path, text) }
  }
  if (configured !== undefined)
    throw new CommandError(`Can't find the settings file ${configured}`, 'check --config or HEARTH_DEVICE_CONFIG')
  return undefined
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(`Can't read the settings file ${path}`, 'check its permissions', { cause: error })
  }
}

function parseFile(path: string, text: string): Fields {
  try {
    const value: unknown = path.endsWith('.json') ? JSON.parse(text) : parseToml(text)
    if (isFields(value)) return value
  } catch (error) {
    throw new CommandError(
      `Can't read the settings file ${path}: ${describeError(error)}`,
      'fix the file, or delete it',
    )
  }
  throw new CommandError(
    `Can't read the settings file ${path}: it doesn't contain an object`,
    'write settings as { "slots": 2 }',
  )
}
