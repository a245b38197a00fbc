// The request fields that the settings become. Empty fields are not sent.

import type { Feature } from '../../../api/features.ts'
import { RANGES, type SettingsErrors, type NumberRange, type Settings } from './settings.ts'
import { InputError } from './input-error.ts'
import { readJsonObject, readTools } from './read-json.ts'

interface ReadSettings {
  fields: Record<string, unknown>
  errors: SettingsErrors
}

const MAX_STOPS = 4
const MAX_STOP_LENGTH = 256

/** Asks for token usage in streams only if a device supports it. */
export function readSettings(settings: Settings, features: readonly Feature[]): ReadSettings {
  const errors: SettingsErrors = {}
  const read: Read = (name, reader) => {
    try {
      return reader()
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      errors[name] = error.message
      return undefined
    }
  }
  const number = (name: keyof typeof RANGES) => read(name, () => readNumber(settings[name], RANGES[name]))
  const fields = {
    temperature: number('temperature'),
    top_p: number('topP'),
    max_completion_tokens: number('maxTokens'),
    frequency_penalty: number('frequencyPenalty'),
    presence_penalty: number('presencePenalty'),
    n: number('choices'),
    stop: read('stop', () => readStop(settings.stop)),
    logit_bias: read('logitBias', () => readLogitBias(settings.logitBias)),
    reasoning_effort: settings.reasoningEffort || undefined,
    ...(settings.logprobs && { logprobs: true, top_logprobs: number('topLogprobs') }),
    response_format: readFormat(settings, read),
    ...readToolFields(settings, read),
    web_search_options: readWebSearch(settings),
    ...(settings.stream && { stream: true }),
    ...(settings.stream && features.includes('usage') && { stream_options: { include_usage: true } }),
  }
  return { fields: dropAbsent(fields), errors }
}

type Read = <Value>(name: keyof Settings, reader: () => Value) => Value | undefined

function readNumber(text: string, { min, max, isWhole = false }: NumberRange): number | undefined {
  if (text.trim() === '') return undefined
  const value = Number(text)
  if (Number.isNaN(value) || (isWhole && !Number.isInteger(value)))
    throw new InputError(isWhole ? 'Enter a whole number' : 'Enter a number')
  if (value >= min && value <= max) return value
  throw new InputError(max === Number.MAX_SAFE_INTEGER ? `Must be at least ${min}` : `Must be from ${min} to ${max}`)
}

/** Reads \n, \t and \\ as a line break, a tab and a backslash. */
function readStop(text: string): string[] | undefined {
  const stops = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/\\([nt\\])/g, (sequence, letter: string) => ESCAPED[letter] ?? sequence))
  if (stops.length > MAX_STOPS) throw new InputError(`At most ${MAX_STOPS} stop sequences`)
  if (stops.some(({ length }) => length > MAX_STOP_LENGTH))
    throw new InputError(`At most ${MAX_STOP_LENGTH} characters each`)
  return stops.length === 0 ? undefined : stops
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', '\\': '\\' }

function readLogitBias(text: string): Record<string, number> | undefined {
  if (text.trim() === '') return undefined
  const bias: Record<string, number> = {}
  for (const [token, value] of Object.entries(readJsonObject(text))) {
    if (!/^\d{1,10}$/.test(token)) throw new InputError(`"${token}" is not a token ID: IDs are whole numbers`)
    if (typeof value !== 'number' || Math.abs(value) > 100)
      throw new InputError(`The bias of ${token} must be a number from -100 to 100`)
    bias[token] = value
  }
  return bias
}

function readFormat({ format, schema, schemaName }: Settings, read: Read): object | undefined {
  if (format === 'text') return undefined
  if (format === 'json_object') return { type: format }
  const name = read('schemaName', () => readSchemaName(schemaName))
  return { type: format, json_schema: { name, strict: true, schema: read('schema', () => readJsonObject(schema)) } }
}

function readSchemaName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name
  throw new InputError('Use 1 to 64 letters, digits, - or _')
}

function readToolFields({ tools, toolChoice }: Settings, read: Read): object {
  if (tools.trim() === '') return {}
  return { tools: read('tools', () => readTools(tools)), tool_choice: toolChoice }
}

function readWebSearch({ webSearch, searchSize }: Settings): object | undefined {
  if (!webSearch) return undefined
  return searchSize === '' ? {} : { search_context_size: searchSize }
}

function dropAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
