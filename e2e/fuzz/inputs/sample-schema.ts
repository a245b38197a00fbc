// A value that a JSON schema allows, more or less.

import type { Random } from '@hearth/gateway/testing'
import { oddText, oddValue } from './odd-values.ts'

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  format?: string
}

/** How often a value is something else entirely. */
const ODD = 0.05

export function sampleSchema(schema: Schema, random: Random): unknown {
  if (random.chance(ODD)) return oddValue(random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return sampleSchema(random.pick(choices), random)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleSchema(part, random)))
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  return sampleType(type, schema, random)
}

function sampleType(type: string | undefined, schema: Schema, random: Random): unknown {
  const samplers: Record<string, () => unknown> = {
    object: () => sampleObject(schema, random),
    array: () => Array.from({ length: random.between(0, 3) }, () => sampleSchema(schema.items ?? {}, random)),
    string: () => sampleText(schema, random),
    number: () => random.between(0, 1_000),
    integer: () => random.between(0, 1_000),
    boolean: () => random.chance(0.5),
    null: () => null,
  }
  return (samplers[type ?? ''] ?? (() => oddValue(random)))()
}

function sampleObject({ properties = {}, required = [] }: Schema, random: Random): object {
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.5))
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sampleSchema(schema, random)]))
}

function sampleText({ format }: Schema, random: Random): string {
  if (format === 'date-time') return new Date(random.between(0, 4e9) * 1_000).toISOString()
  if (format === 'email') return `person${random.between(0, 99)}@example.test`
  return random.chance(0.7) ? `text ${random.between(0, 9)}` : oddText(random)
}
