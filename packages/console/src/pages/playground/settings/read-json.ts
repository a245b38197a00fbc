// Parses JSON that people type, with errors they can act on.

import { InputError } from './input-error.ts'

const MAX_TOOLS = 128
const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

type JsonObject = Record<string, unknown>

export function readJsonObject(text: string): JsonObject {
  const value = readJson(text)
  if (isObject(value)) return value
  throw new InputError('Expected an object: { … }')
}

export function readTools(text: string): unknown[] {
  const tools = readJson(text)
  if (!Array.isArray(tools)) throw new InputError('Expected an array of tools: [ … ]')
  if (tools.length > MAX_TOOLS) throw new InputError(`At most ${MAX_TOOLS} tools`)
  tools.forEach((tool: unknown, index) => checkTool(tool, `Tool ${index + 1}`))
  return tools
}

function checkTool(tool: unknown, which: string): void {
  if (!isObject(tool) || tool['type'] !== 'function') throw new InputError(`${which}: "type" must be "function"`)
  const described = tool['function']
  if (!isObject(described)) throw new InputError(`${which}: "function" is missing`)
  if (typeof described['name'] !== 'string' || !TOOL_NAME.test(described['name']))
    throw new InputError(`${which}: "name" must be 1 to 64 letters, digits, -, _ or .`)
  if (described['parameters'] !== undefined && !isObject(described['parameters']))
    throw new InputError(`${which}: "parameters" must be a JSON schema: { … }`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // Firefox puts the name of the function first.
    throw new InputError(`Invalid JSON: ${error.message.replace('JSON.parse: ', '')}`, { cause: error })
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
