// Tests whether the server really enforces JSON. The prompts ask for plain words, so only a server that allows nothing else returns JSON.
// The schemas require values that no model would produce by chance.

import { randomBytes } from 'node:crypto'
import type { JsonSchema } from '@hearth/protocol'
import { parseFields, type Fields } from '@hearth/sealing/fields'
import type { Abilities } from '../request/abilities.ts'
import { probeRequest, type NoReply, type ProbeReply, type Probing } from './probe-request.ts'
import { schemaFormat } from '../request/request-body.ts'
import { SCHEMA_PARTS, WORD_SCHEMA, type SchemaPart } from '../request/schema-parts.ts'

const IN_PLAIN_WORDS = [{ role: 'user', content: 'Say hello in plain words. Do not write JSON.' }]
const PART_TOKENS = 48
const LEAST_TOKENS = 2 * PART_TOKENS
const ROUNDS = 4

export async function probeJson(
  probing: Probing,
): Promise<Pick<Abilities, 'jsonObject' | 'jsonSchema' | 'schemaParts'>> {
  const jsonSchema = await enforcesSchema(probing)
  const schemaParts = jsonSchema ? await findParts(probing) : []
  return { jsonObject: await probeObject(probing, jsonSchema), jsonSchema, schemaParts }
}

async function probeObject(probing: Probing, jsonSchema: boolean): Promise<Abilities['jsonObject']> {
  if (isObject(await ask(probing, { type: 'json_object' }, 96))) return 'json_object'
  if (!jsonSchema) return false
  const bySchema = await ask(probing, schemaFormat('object', { type: 'object' }), 96)
  return isObject(bySchema) ? 'json_schema' : false
}

async function enforcesSchema(probing: Probing): Promise<boolean> {
  const word = `w${randomBytes(6).toString('hex')}`
  const reply = await ask(probing, schemaFormat('probe', holding({ [word]: { const: word } })), PART_TOKENS * 2)
  return readObject(reply)?.[word] === word
}

// Tests all parts in one request and checks them one by one. Tests them separately only if the server rejects the request. Where a server allows
// blanks, a model may fill its reply with them: then it is asked for the rest, and no longer for what it likes best.
async function findParts(probing: Probing, parts: readonly SchemaPart[] = SCHEMA_PARTS): Promise<string[]> {
  const found: string[] = []
  let open = parts
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const schemas = Object.fromEntries(open.map(({ name, schema }) => [name, schema]))
    const reply = await ask(probing, schemaFormat('probe', holding(schemas)), tokensFor(open), round === 0 ? 0 : 1)
    if (typeof reply === 'string') return [...found, ...(await findSeparately(probing, open))]
    const values = readStart(reply.text)
    found.push(...open.filter(({ name, accepts }) => accepts(values[name])).map(({ name }) => name))
    const rest = open.filter(({ name }) => !(name in values))
    // Behind the one that it can't get past there may be others.
    open = rest.length === open.length ? [...rest.slice(1), ...rest.slice(0, 1)] : rest
  }
  if (open.length > 0) probing.onUnknown()
  return found
}

async function findSeparately(probing: Probing, parts: readonly SchemaPart[]): Promise<string[]> {
  const found: string[] = []
  if (parts.length > 1) for (const part of parts) found.push(...(await findParts(probing, [part])))
  return found
}

function tokensFor(parts: readonly SchemaPart[]): number {
  return Math.max(LEAST_TOKENS, parts.length * PART_TOKENS)
}

/** The members of the object that came whole, in a text that may have been cut off. */
function readStart(text: string): Fields {
  const said = text.replace(/^[\s\S]*<\/think>/, '')
  const ends = [...said.matchAll(/,/g)].map(({ index }) => index).toReversed()
  const whole = ends.map((end) => parseFields(`${said.slice(0, end)}}`)).find((fields) => fields !== undefined)
  return parseFields(said) ?? whole ?? {}
}

function holding(properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false, $defs: { word: WORD_SCHEMA } }
}

function ask(probing: Probing, format: unknown, tokens: number, temperature = 0): Promise<ProbeReply | NoReply> {
  return probeRequest(probing, tokens, { messages: IN_PLAIN_WORDS, response_format: format, temperature })
}

/** If the token limit cut it off, it may be incomplete, but it started like an object. */
function isObject(reply: ProbeReply | NoReply): boolean {
  if (typeof reply === 'string') return false
  return reply.finish === 'length' ? reply.text.trimStart().startsWith('{') : readObject(reply) !== undefined
}

function readObject(reply: ProbeReply | NoReply): Fields | undefined {
  if (typeof reply === 'string') return undefined
  return parseFields(reply.text.replace(/^[\s\S]*<\/think>/, ''))
}
