// Turns rows into what the API answers with: only the fields of a schema, moments as text, and null for what is missing.

import { z } from '@hono/zod-openapi'

export type Showable<Value> =
  | (null extends Value ? undefined : never)
  | (string extends Value ? Date : never)
  | (Value extends readonly (infer One)[] ? readonly Showable<One>[] : Value extends object ? Fields<Value> : Value)

type Fields<Value> = {
  [Name in keyof Value as undefined extends Showable<Value[Name]> ? never : Name]: Showable<Value[Name]>
} & { [Name in keyof Value as undefined extends Showable<Value[Name]> ? Name : never]?: Showable<Value[Name]> }

export function show(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodNullable)
    return value === undefined || value === null ? null : show(schema.unwrap(), value)
  if (schema instanceof z.ZodArray) return (value as unknown[]).map((one) => show(schema.element, one))
  if (schema instanceof z.ZodObject) return pickFields(schema.shape, value as Record<string, unknown>)
  return value instanceof Date ? value.toISOString() : value
}

function pickFields(shape: object, value: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, show(field, value[name])]))
}
