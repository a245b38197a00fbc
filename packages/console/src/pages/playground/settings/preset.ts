// Settings with a name. A link carries them after #, which browsers never send to a server.

import { DEFAULTS, FORMATS, LEVELS, TOOL_CHOICES, type Settings } from './settings.ts'

export interface Preset {
  id: number
  name: string
  model: string
  settings: Settings
}

export type SharedPreset = Omit<Preset, 'id'>

export const MOST_PRESETS = 100
const MARK = '#preset='
/** Chat apps and mail cut longer links. */
const MOST_CHARACTERS = 16_000
const MOST_NAME = 128

const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  format: FORMATS,
  reasoningEffort: ['', ...LEVELS],
  searchSize: ['', ...LEVELS],
  toolChoice: TOOL_CHOICES,
}

/** Throws if the link would be too long to share. */
export function linkOf({ name, model, settings }: SharedPreset, page: string): string {
  const text = JSON.stringify({ name, model, settings: Object.fromEntries(changesOf(settings)) })
  const link = `${page}${MARK}${encodeURIComponent(text.toWellFormed())}`
  if (link.length <= MOST_CHARACTERS) return link
  throw new Error(
    `This preset is too long for a link: ${link.length} characters of at most ${MOST_CHARACTERS}. Shorten its system message, schema or tools.`,
  )
}

/** The settings that are not empty or as they are at first. */
export function changesOf(settings: Settings): [name: string, value: string | boolean][] {
  return Object.entries(settings).filter(([name, value]) => value !== DEFAULTS[name as keyof Settings])
}

/** Undefined if the fragment is something else. Anyone can write such a link, so it throws unless all of it can be used. */
export function readSharedPreset(hash: string): SharedPreset | undefined {
  if (!hash.startsWith(MARK)) return undefined
  if (hash.length > MOST_CHARACTERS) throw new Error('The link is too long.')
  const value = parse(hash.slice(MARK.length))
  const { name, model, settings } = value
  if (typeof name !== 'string' || name.trim() === '' || name.length > MOST_NAME)
    throw new Error('The preset has no name.')
  if (typeof model !== 'string' || model === '') throw new Error('The preset names no model.')
  if (typeof settings !== 'object' || settings === null) throw new Error('The preset has no settings.')
  for (const [field, given] of Object.entries(settings)) checkField(field, given)
  return { name, model, settings: { ...DEFAULTS, ...settings } }
}

function parse(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(decodeURIComponent(text)) as object) }
  } catch (cause) {
    throw new Error('The link is damaged or was cut off.', { cause })
  }
}

function checkField(field: string, given: unknown): void {
  const known = Object.entries(DEFAULTS).find(([name]) => name === field)
  if (!known) throw new Error(`"${field.slice(0, 40)}" is not a setting.`)
  const choices = CHOICES[field as keyof Settings]
  if (typeof given !== typeof known[1] || (choices && !choices.includes(String(given))))
    throw new Error(`The value of "${field}" can’t be used.`)
}
