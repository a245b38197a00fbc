// Parses JSON that people type, with errors they can act on.

const MAX_TOOLS = 128
const TOOL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

export const SAMPLE_SCHEMA = JSON.stringify(
  {
    type: 'object',
    properties: {
      title: { type: 'string' },
      rating: { type: 'integer', minimum: 1, maximum: 5 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['title', 'rating', 'tags'],
    additionalProperties: false,
  },
  null,
  2,
)

export const SAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Get the current weather in a city',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    },
  ],
  null,
  2,
)

export type JsonObject = Record<string, unknown>

export function readJsonObject(text: string): JsonObject {
  const value = readJson(text)
  if (isObject(value)) return value
  throw new Error('Expected an object: { … }')
}

export function readTools(text: string): unknown[] {
  const tools = readJson(text)
  if (!Array.isArray(tools)) throw new Error('Expected an array of tools: [ … ]')
  if (tools.length > MAX_TOOLS) throw new Error(`At most ${MAX_TOOLS} tools`)
  tools.forEach((tool: unknown, index) => checkTool(tool, `Tool ${index + 1}`))
  return tools
}

function checkTool(tool: unknown, which: string): void {
  if (!isObject(tool) || tool['type'] !== 'function') throw new Error(`${which}: "type" must be "function"`)
  const described = tool['function']
  if (!isObject(described)) throw new Error(`${which}: "function" is missing`)
  if (typeof described['name'] !== 'string' || !TOOL_NAME.test(described['name']))
    throw new Error(`${which}: "name" must be 1 to 64 letters, digits, -, _ or .`)
  if (described['parameters'] !== undefined && !isObject(described['parameters']))
    throw new Error(`${which}: "parameters" must be a JSON schema: { … }`)
}

/** Indented, or unchanged if it is not valid JSON. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (fault) {
    // Each browser words the position of the error differently.
    throw new Error(`Invalid JSON: ${(fault as Error).message.replace('JSON.parse: ', '')}`, { cause: fault })
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
