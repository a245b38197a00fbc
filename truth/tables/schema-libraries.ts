// Every type that zod and pydantic can write as JSON Schema, as a response format and as the parameters of a strict tool.

import { z } from 'zod'
import { isObject, schemaToGrammar, SchemaError, type SchemaObject } from '@hearth/json-schema-grammar'
import { runPython } from '../python-packages.ts'
import type { Table } from '../table.ts'
import { ZOD_TYPES } from '../types/zod-types.ts'

const PYDANTIC = ['pydantic==2.14.3', 'email-validator']
const MOST_REFUSED = 3

interface Refusal {
  name: string
  reason: string
}

export async function schemaLibraries(): Promise<Table> {
  const libraries = { 'zod 4': zodSchemas(), 'pydantic 2': await pydanticSchemas() }
  const results = Object.entries(libraries).flatMap(([library, schemas]) => [
    { name: `${library}, response format`, count: Object.keys(schemas).length, refused: refusals(schemas) },
    { name: `${library}, tool`, count: Object.keys(schemas).length, refused: refusals(asParameters(schemas)) },
  ])
  return {
    columns: ['library', 'types', 'taken'],
    rows: results.map(({ name, count, refused }) => [name, count, count - refused.length]),
    bars: results.map(({ name, refused }) => ({
      claim: `${name}: at most ${MOST_REFUSED} types are refused`,
      isMet: refused.length <= MOST_REFUSED,
    })),
    notes: results.flatMap(({ name, refused }) => refused.map((one) => `refused: ${name}: ${one.name}: ${one.reason}`)),
    details: [],
  }
}

export function zodSchemas(): Record<string, SchemaObject> {
  const written = Object.entries(ZOD_TYPES).flatMap(([name, type]) => {
    try {
      return [[name, z.toJSONSchema(type)] as const]
    } catch {
      // Zod itself says that it can't write this type.
      return []
    }
  })
  return Object.fromEntries(written)
}

export async function pydanticSchemas(): Promise<Record<string, SchemaObject>> {
  const printed = await runPython(PYDANTIC, new URL('../types/pydantic_types.py', import.meta.url), {})
  return printed as Record<string, SchemaObject>
}

/** Parameters of a tool have to be an object. */
function asParameters(schemas: Record<string, SchemaObject>): Record<string, SchemaObject> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toParameters(schema)]))
}

function toParameters(schema: SchemaObject): SchemaObject {
  if (schema['type'] === 'object') return schema
  const { $defs, definitions, $schema: _, ...value } = schema
  const shared = { ...(isObject($defs) && { $defs }), ...(isObject(definitions) && { definitions }) }
  return { type: 'object', properties: { value }, required: ['value'], ...shared }
}

function refusals(schemas: Record<string, SchemaObject>): Refusal[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    try {
      schemaToGrammar(schema)
      return []
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      return [{ name, reason: error.message }]
    }
  })
}
