// Brings flags, environment and file together. A wrong value, or a name nobody knows, stops the start: a typing mistake must not become a
// default in silence.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { DeviceError, describeError } from '../errors.ts'
import { isFields, type Fields } from '../state/fields.ts'
import { environmentName, kebab, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingSources {
  /** As commander gives them: text, or true and false for switches. */
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
  /** Where each value came from, for people. */
  origins: Record<SettingName, string>
}

/** Names of the environment that are read elsewhere. */
const OTHER_ENVIRONMENT = ['HEARTH_DEVICE_HOME', 'HEARTH_DEVICE_CONFIG', 'HEARTH_DEVICE_TOKEN']

export function readSettings(sources: SettingSources): ReadSettings {
  refuseUnknown(sources)
  const settings: Partial<Record<SettingName, unknown>> = {}
  const origins: Partial<Record<SettingName, string>> = {}
  for (const name of SETTING_NAMES) {
    const found = find(name, sources)
    settings[name] = found === undefined ? SETTINGS[name].fallback : parse(name, found)
    origins[name] = found?.origin ?? 'default'
  }
  return { settings: settings as Settings, origins: origins as Record<SettingName, string> }
}

interface Found {
  text: string
  origin: string
}

function find(name: SettingName, { flags, environment, file }: SettingSources): Found | undefined {
  if (flags[name] !== undefined) return { text: String(flags[name]), origin: `--${kebab(name)}` }
  const fromEnvironment = environment[environmentName(name)]
  if (fromEnvironment !== undefined && fromEnvironment !== '')
    return { text: fromEnvironment, origin: environmentName(name) }
  const fromFile = file?.fields[kebab(name)]
  return fromFile === undefined ? undefined : { text: asText(fromFile), origin: `${file?.path}: ${kebab(name)}` }
}

/** Lists in the file are written with commas elsewhere. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parse(name: SettingName, { text, origin }: Found): unknown {
  try {
    return SETTINGS[name].parse(text)
  } catch (error) {
    throw new DeviceError(`Cannot use "${text}" for ${origin}: ${describeError(error)}`)
  }
}

function refuseUnknown({ environment, file }: SettingSources): void {
  const known = new Set([...SETTING_NAMES.map(environmentName), ...OTHER_ENVIRONMENT])
  for (const name of Object.keys(environment))
    if (name.startsWith('HEARTH_DEVICE_') && !known.has(name))
      throw new DeviceError(`There is no setting ${name}`, `the settings are ${[...known].join(', ')}`)
  const keys = SETTING_NAMES.map(kebab)
  for (const key of Object.keys(file?.fields ?? {}))
    if (!keys.includes(key))
      throw new DeviceError(`There is no setting "${key}" (${file?.path})`, `the settings are ${keys.join(', ')}`)
}

/** The file named by --config, else settings.toml or settings.json in the state folder, else none. */
export function loadSettingsFile(home: string, configured: string | undefined): SettingsFile | undefined {
  const candidates =
    configured === undefined ? ['settings.toml', 'settings.json'].map((name) => join(home, name)) : [configured]
  for (const path of candidates) {
    const text = readIfThere(path)
    if (text !== undefined) return { path, fields: parseFile(path, text) }
  }
  if (configured !== undefined) throw new DeviceError(`Cannot read the settings file ${configured}: there is none`)
  return undefined
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new DeviceError(`Cannot read the settings file ${path}`, undefined, { cause: error })
  }
}

function parseFile(path: string, text: string): Fields {
  try {
    const value: unknown = path.endsWith('.json') ? JSON.parse(text) : parseToml(text)
    if (isFields(value)) return value
  } catch (error) {
    throw new DeviceError(`Cannot read the settings file ${path}: ${describeError(error)}`)
  }
  throw new DeviceError(`Cannot read the settings file ${path}: it is not an object`)
}
