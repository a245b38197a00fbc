// Reads options that need more than a range check.

import { isObject, MAX_TOKEN_ID, type ChatJob, type Fields, type WebSearch } from '@hearth/protocol'
import { ApiError } from '../errors.ts'
import {
  listed,
  outOfRange,
  readFlag,
  readInteger,
  readObject,
  readText,
  sent,
  shorten,
  tooLong,
  wrongType,
  wrongValue,
} from '../json/fields.ts'

const MAX_STOPS = 4
const MAX_STOP_LENGTH = 256
const EFFORTS = ['low', 'medium', 'high'] as const
const CONTEXT_SIZES = ['low', 'medium', 'high'] as const

/** An empty stop sequence can never match, so it is dropped; if none is left, there is no stop. */
export function readStop(body: Fields): string[] | undefined {
  const value = sent(body, 'stop')
  if (value === undefined) return undefined
  if (typeof value !== 'string' && !Array.isArray(value))
    throw wrongType('stop', 'one of a string or array of strings', value)
  const pathOf = (index: number) => (Array.isArray(value) ? `stop[${index}]` : 'stop')
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > MAX_STOPS) throw tooLong('stop', MAX_STOPS, items.length)
  const stops = items.map((item, index) => readStopText(item, pathOf(index))).filter((text) => text !== '')
  return stops.length === 0 ? undefined : stops
}

function readStopText(item: unknown, path: string): string {
  if (typeof item !== 'string') throw wrongType(path, 'a string', item)
  if (item.length <= MAX_STOP_LENGTH) return item
  throw new ApiError(
    'string_above_max_length',
    `Invalid '${path}': string too long. Expected a string with maximum length ${MAX_STOP_LENGTH}, but got a string with length ${item.length} instead.`,
    path,
  )
}

export function readLogprobs(body: Fields): ChatJob['logprobs'] {
  const isWanted = readFlag(body, 'logprobs') ?? false
  const top = readInteger(body, 'top_logprobs', 0, 20)
  if (isWanted) return { top: top ?? 0 }
  if (top === undefined) return undefined
  throw new ApiError(
    'invalid_value',
    `The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.`,
    'top_logprobs',
  )
}

export function readLogitBias(body: Fields): Record<string, number> | undefined {
  const bias = readObject(body, 'logit_bias')
  if (bias === undefined) return undefined
  const entries = Object.entries(bias).map(readBias)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function readBias([token, bias]: [string, unknown]): [string, number] {
  if (!/^\d{1,10}$/.test(token) || Number(token) > MAX_TOKEN_ID)
    throw new ApiError(
      'invalid_value',
      `Invalid key in 'logit_bias': ${shorten(token)}. You should only be submitting non-negative integers up to ${MAX_TOKEN_ID}.`,
      'logit_bias',
    )
  if (typeof bias !== 'number') throw wrongType('logit_bias', 'numbers as values', bias)
  if (bias < -100) throw outOfRange('integer_below_min_value', 'logit_bias', -100, bias)
  if (bias > 100) throw outOfRange('integer_above_max_value', 'logit_bias', 100, bias)
  return [String(Number(token)), bias]
}

export function readReasoningEffort(body: Fields): ChatJob['reasoningEffort'] {
  const effort = readText(body, 'reasoning_effort')
  if (effort === undefined) return undefined
  const known = EFFORTS.find((candidate) => candidate === effort)
  if (known) return known
  throw new ApiError(
    'unsupported_value',
    `Unsupported value: 'reasoning_effort' does not support '${shorten(effort)}' here. Supported values are: ${listed(EFFORTS)}.`,
    'reasoning_effort',
  )
}

export function readWebSearch(body: Fields): WebSearch | undefined {
  const path = 'web_search_options'
  const fields = readObject(body, path)
  if (fields === undefined) return undefined
  const size = readText(fields, 'search_context_size', path)
  const contextSize = CONTEXT_SIZES.find((candidate) => candidate === size)
  if (size !== undefined && !contextSize) throw wrongValue(`${path}.search_context_size`, size, CONTEXT_SIZES)
  const location = readLocation(fields, path)
  return { ...(contextSize && { contextSize }), ...(location && { location }) }
}

function readLocation(fields: Fields, path: string): WebSearch['location'] {
  const outer = readObject(fields, 'user_location', path)
  const inner = outer && readObject(outer, 'approximate', `${path}.user_location`)
  if (!isObject(inner)) return undefined
  const location: NonNullable<WebSearch['location']> = {}
  for (const name of ['city', 'country', 'region', 'timezone'] as const) {
    const value = readText(inner, name, `${path}.user_location.approximate`)
    if (value !== undefined) location[name] = value
  }
  return location
}

export interface StreamOptions {
  stream: boolean
  includeUsage: boolean
}

export function readStreamOptions(body: Fields): StreamOptions {
  const stream = readFlag(body, 'stream') ?? false
  const options = readObject(body, 'stream_options')
  const includeUsage = options ? (readFlag(options, 'include_usage', 'stream_options') ?? false) : false
  if (!options || stream) return { stream, includeUsage }
  throw new ApiError(
    'invalid_value',
    `The 'stream_options' parameter is only allowed when 'stream' is enabled.`,
    'stream_options',
  )
}
