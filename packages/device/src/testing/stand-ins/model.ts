// The "model" behind the stand-in server: a few fixed answers, split into tokens. Real enough for a probe to tell a server that does what it
// is asked from one that doesn't.

export interface Answer {
  reasoning: string[]
  tokens: string[]
  calls: { name: string; arguments: string }[]
}

type Fields = Record<string, unknown>

export interface StandInMessage {
  role: string
  content?: string | null
}

/** Depends only on the user's last message. */
export function answerTo(messages: readonly StandInMessage[]): string[] {
  const last = lastQuestion(messages)
  const count = /Count from 1 to (\d+)/.exec(last)
  if (count !== null)
    return [...Array.from({ length: Number(count[1]) }, (_, at) => `${at === 0 ? '' : ' '}${at + 1}`), '.']
  const told = /Say: (.*)$/s.exec(last)?.[1]
  if (told !== undefined) return tokenise(told)
  return tokenise(`You said: ${last}`)
}

/** Splits into words with their leading space; non-ASCII characters become single tokens. */
export function tokenise(text: string): string[] {
  return text.match(/ ?[!-~]+|[^!-~]/gu) ?? []
}

export function weatherCalls(messages: readonly StandInMessage[]): Answer['calls'] {
  const cities = /weather in ([A-Z][\w ]*?)\?/.exec(lastQuestion(messages))?.[1]?.split(' and ') ?? []
  return cities.map((city) => ({ name: 'get_weather', arguments: JSON.stringify({ city }) }))
}

function lastQuestion(messages: readonly StandInMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

export interface Enforced {
  patterns: boolean
}

/** The first valid value, for the schemas that tests and probes use. */
export function sampleOf(schema: Fields, enforced: Enforced, root: Fields = schema): unknown {
  const first = (key: string): Fields => (schema[key] as Fields[])[0]!
  if ('const' in schema) return schema['const']
  if ('enum' in schema) return (schema['enum'] as unknown[])[0]
  if ('$ref' in schema) return sampleOf(resolve(String(schema['$ref']), root), enforced, root)
  for (const key of ['anyOf', 'oneOf', 'allOf']) if (key in schema) return sampleOf(first(key), enforced, root)
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, Fields>).map(([name, inner]) => [
          name,
          sampleOf(inner, enforced, root),
        ]),
      )
    case 'array':
      return sampleList(schema, enforced, root)
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    case 'boolean':
      return true
    default:
      return sampleText(schema, enforced)
  }
}

function sampleList(schema: Fields, enforced: Enforced, root: Fields): unknown[] {
  const places = (schema['prefixItems'] as Fields[] | undefined) ?? []
  const item = (schema['items'] ?? {}) as Fields
  const count = Math.max(Number(schema['minItems'] ?? 0), places.length)
  return Array.from({ length: count }, (_, at) => sampleOf(places[at] ?? item, enforced, root))
}

function sampleText(schema: Fields, { patterns }: Enforced): string {
  if ('pattern' in schema && patterns) return '000-0000'
  if (schema['format'] === 'date') return '2026-11-15'
  return 'x'.repeat(Number(schema['minLength'] ?? 1))
}

function resolve(reference: string, root: Fields): Fields {
  return reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .reduce<Fields>((inside, part) => inside[part] as Fields, root)
}
