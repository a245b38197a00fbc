import type { SchemaObject } from '../schema/schema-object.ts'

/** A schema with texts that match and texts that don't. */
export type SchemaExample = [name: string, schema: SchemaObject, accepted: string[], rejected: string[]]
