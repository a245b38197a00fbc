// Reads the tools that the model may call, including the deprecated functions, and whether it may call them.

import type { Fields, JobTool } from '@hearth/protocol'
import { ApiError } from '../errors.ts'
import {
  asObject,
  readFlag,
  readObjects,
  readObject,
  readText,
  required,
  requireText,
  sent,
  shorten,
  tooLong,
  wrongType,
  wrongValue,
  type Path,
} from '../json/fields.ts'

const NAME_PATTERN = /^[a-zA-Z0-9_.-]+$/
const MAX_NAME = 64
const CHOICES = ['none', 'auto'] as const

export interface Tools {
  tools: JobTool[]
  choice: 'auto' | 'none'
  /** The request sent its tools as `functions`: the reply repeats the first call as `function_call`. */
  areFunctions: boolean
}

export function readTools(body: Fields, maxTools: number): Tools {
  const functions = readDefinitions(body, 'functions', maxTools, readFunction)
  const tools = readDefinitions(body, 'tools', maxTools, readTool)
  const choice = readChoice(body, 'tool_choice')
  const functionCall = readChoice(body, 'function_call')
  rejectSerialCalls(body)
  if (functions.length === 0) return { tools, choice: choice ?? 'auto', areFunctions: false }
  if (tools.length > 0)
    throw new ApiError(
      'invalid_value',
      `Invalid value for 'functions': send either 'tools' or the deprecated 'functions', not both.`,
      'functions',
    )
  return { tools: functions, choice: functionCall ?? choice ?? 'auto', areFunctions: true }
}

function readDefinitions(
  body: Fields,
  name: string,
  max: number,
  read: (item: unknown, path: Path) => JobTool,
): JobTool[] {
  const items = readObjects(body, name) ?? []
  if (items.length > max) throw tooLong(name, max, items.length)
  return items.map((item, index) => read(item, `${name}[${index}]`))
}

function readTool(item: unknown, path: Path): JobTool {
  const fields = asObject(item, path)
  const type = requireText(fields, 'type', path)
  if (type !== 'function') throw wrongValue(`${path}.type`, type, ['function'])
  return readFunction(required(readObject(fields, 'function', path), 'function', path), `${path}.function`)
}

function readFunction(item: unknown, path: Path): JobTool {
  const fields = asObject(item, path)
  const name = readToolName(fields, path)
  const description = readText(fields, 'description', path)
  const parameters = readObject(fields, 'parameters', path)
  const strict = readFlag(fields, 'strict', path)
  return {
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
    ...(strict !== undefined && { strict }),
  }
}

function readToolName(fields: Fields, path: Path): string {
  return checkName(requireText(fields, 'name', path), `${path}.name`, NAME_PATTERN)
}

/** Also used for the name of a JSON schema. */
export function checkName(name: string, path: Path, pattern: RegExp): string {
  if (name === '')
    throw new ApiError(
      'empty_string',
      `Invalid '${path}': empty string. Expected a string with minimum length 1.`,
      path,
    )
  if (name.length > MAX_NAME)
    throw new ApiError(
      'string_above_max_length',
      `Invalid '${path}': string too long. Expected a string with maximum length ${MAX_NAME}, but got a string with length ${name.length} instead.`,
      path,
    )
  if (!pattern.test(name))
    throw new ApiError(
      'invalid_value',
      `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
      path,
    )
  return name
}

function readChoice(body: Fields, name: 'tool_choice' | 'function_call'): 'auto' | 'none' | undefined {
  const value = sent(body, name)
  if (value === undefined || value === 'auto' || value === 'none') return value
  if (value === 'required' || (typeof value === 'object' && !Array.isArray(value)))
    throw new ApiError(
      'unsupported_parameter',
      `Unsupported value: '${name}' accepts only 'auto' and 'none' here; forcing a call is not supported.`,
      name,
    )
  if (typeof value === 'string') throw wrongValue(name, shorten(value), CHOICES)
  throw wrongType(name, 'a string', value)
}

function rejectSerialCalls(body: Fields): void {
  if (readFlag(body, 'parallel_tool_calls') !== false) return
  throw new ApiError(
    'unsupported_parameter',
    `Unsupported value: 'parallel_tool_calls' can only be true here, which is the default.`,
    'parallel_tool_calls',
  )
}
