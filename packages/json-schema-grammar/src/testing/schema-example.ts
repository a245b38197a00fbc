import type { SchemaObject } from '../schema/schema-object.ts'

/** Schemas with texts that match and texts that don't, by name. */
export type Examples = Readonly<Record<string, [schema: SchemaObject, accepted: string[], rejected: string[]]>>
export type SchemaExample = [name: string, ...Examples[string]]

export const STRING: SchemaObject = { type: 'string' }
export const INTEGER: SchemaObject = { type: 'integer' }
export const NUMBER: SchemaObject = { type: 'number' }
export const BOOLEAN: SchemaObject = { type: 'boolean' }
export const NULL: SchemaObject = { type: 'null' }

export const object = (properties: SchemaObject, more?: SchemaObject) => ({ type: 'object', properties, ...more })
export const array = (items: unknown, more?: SchemaObject) => ({ type: 'array', items, ...more })
