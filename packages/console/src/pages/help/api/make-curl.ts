// Writes a curl command for an operation.

import { resolve, type Description, type Operation, type Schema } from './description.ts'

/** Examples are cut off at this depth. */
const DEEPEST = 4

/** Values that exist, for parameters and fields of this name. */
export type Known = Partial<Record<'model' | 'organization', string>>

export function makeCurl(description: Description, operation: Operation, baseUrl: string, known: Known = {}): string {
  const { method, path, parameters = [], requestBody } = operation
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(
      ({ name, schema, example }) => `${name}=${encodeURIComponent(String(example ?? exampleOf(description, schema)))}`,
    )
  const address = `${baseUrl}${fillPath(path, known)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${address}'`,
    ...accessLines(description, operation),
    ...bodyLines(description, requestBody?.content['application/json'], known),
  ]
  return lines.join(' \\\n  ')
}

/** Replaces path parameters with values that exist, or with placeholders to fill in. */
function fillPath(path: string, known: Known): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = known[name as keyof Known]
    // Colons are common in names of models and need no encoding.
    return value === undefined ? name.toUpperCase() : encodeURIComponent(value).replaceAll('%3A', ':')
  })
}

/** The public API uses an API key. The console API uses the cookies from sign-in. */
function accessLines({ security }: Description, operation: Operation): string[] {
  if (security !== undefined) return ['-H "Authorization: Bearer $HEARTH_API_KEY"']
  return operation['x-access'] === 'anyone' ? ['-c cookies.txt'] : ['-b cookies.txt']
}

function bodyLines(
  description: Description,
  content: { schema: Schema; example?: unknown } | undefined,
  { model }: Known,
): string[] {
  if (!content) return []
  const example = content.example ?? exampleOf(description, content.schema)
  const hasModel = typeof example === 'object' && example !== null && 'model' in example
  const body = hasModel && model !== undefined ? { ...example, model } : example
  const text = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", `'\\''`)
  return ['-H "Content-Type: application/json"', `-d '${text}'`]
}

/** An example with the required fields. */
export function exampleOf(description: Description, schema: Schema, depth = 0): unknown {
  const resolved = resolve(description, schema)
  const {
    example,
    examples,
    enum: values,
    oneOf,
    anyOf,
    type,
    items,
    properties = {},
    required = [],
    minimum,
  } = resolved
  const given = example ?? examples?.[0] ?? values?.[0]
  if (given !== undefined) return given
  const variant = (oneOf ?? anyOf)?.[0]
  if (variant) return exampleOf(description, variant, depth)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      if (depth >= DEEPEST) return {}
      return Object.fromEntries(
        required.map((name) => [name, exampleOf(description, properties[name] ?? {}, depth + 1)]),
      )
    case 'array':
      return items && depth < DEEPEST ? [exampleOf(description, items, depth + 1)] : []
    case 'integer':
    case 'number':
      return minimum ?? 1
    case 'boolean':
      return true
    case undefined:
    default:
      return '…'
  }
}
