import type { SchemaObject } from '../schema/schema-object.ts'

/** A schema with texts that match and texts that don't. */
export type SchemaExample = [name: string, schema: SchemaObject, accepted: string[], rejected: string[]]

export const STRING: SchemaObject = { type: 'string' }
export const INTEGER: SchemaObject = { type: 'integer' }
export const NUMBER: SchemaObject = { type: 'number' }
export const BOOLEAN: SchemaObject = { type: 'boolean' }
export const NULL: SchemaObject = { type: 'null' }

export const object = (properties: SchemaObject, more?: SchemaObject) => ({ type: 'object', properties, ...more })
export const array = (items: unknown, more?: SchemaObject) => ({ type: 'array', items, ...more })
