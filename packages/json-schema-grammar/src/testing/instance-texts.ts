// The ways to write an instance that a grammar could allow. JSON gives no order to properties and a
// grammar does, so an instance is also written in the order in which the schema names its
// properties.

import { isObject } from '../schema/schema-object.ts'

export function instanceTexts(instance: unknown, schema: unknown): string[] {
  const order = new Map<string, number>()
  collectNames(schema, order)
  return [...new Set([JSON.stringify(instance), JSON.stringify(ordered(instance, order))])]
}

/** The names in `properties`, outer schemas before the alternatives inside them. */
function collectNames(schema: unknown, order: Map<string, number>): void {
  if (Array.isArray(schema)) for (const item of schema) collectNames(item, order)
  if (!isObject(schema)) return
  const { properties, ...rest } = schema
  if (isObject(properties)) for (const name of Object.keys(properties)) note(name, order)
  for (const [keyword, value] of Object.entries(rest))
    if (keyword !== 'enum' && keyword !== 'const') collectNames(value, order)
  collectNames(properties, order)
  if (Array.isArray(rest['required'])) for (const name of rest['required']) note(String(name), order)
}

function note(name: string, order: Map<string, number>): void {
  if (!order.has(name)) order.set(name, order.size)
}

function ordered(instance: unknown, order: ReadonlyMap<string, number>): unknown {
  if (Array.isArray(instance)) return instance.map((item) => ordered(item, order))
  if (!isObject(instance)) return instance
  const place = (name: string) => order.get(name) ?? order.size
  const entries = Object.entries(instance).map(([name, value]) => [name, ordered(value, order)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => place(a) - place(b)))
}
