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
const ALL_PARTS_TOKENS = 384

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

// Tests all parts in one request and checks them one by one. Tests them separately only if the server rejects the request or doesn't finish.
async function findParts(probing: Probing): Promise<string[]> {
  const all = Object.fromEntries(SCHEMA_PARTS.map(({ name, schema }) => [name, schema]))
  const together = readObject(await ask(probing, schemaFormat('probe', holding(all)), ALL_PARTS_TOKENS))
  if (together !== undefined)
    return SCHEMA_PARTS.filter(({ name, accepts }) => accepts(together[name])).map(({ name }) => name)
  const found: string[] = []
  for (const part of SCHEMA_PARTS) if (await enforcesPart(probing, part)) found.push(part.name)
  return found
}

async function enforcesPart(probing: Probing, { name, schema, accepts }: SchemaPart): Promise<boolean> {
  const reply = readObject(await ask(probing, schemaFormat('probe', holding({ [name]: schema })), PART_TOKENS))
  return reply !== undefined && accepts(reply[name])
}

function holding(properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false, $defs: { word: WORD_SCHEMA } }
}

function ask(probing: Probing, format: unknown, tokens: number): Promise<ProbeReply | NoReply> {
  return probeRequest(probing, tokens, { messages: IN_PLAIN_WORDS, response_format: format })
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
