// The part of the converter that arrays and objects use: the rules so far, and a way to convert the schemas inside them.

import type { Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import type { Schema } from './schema-object.ts'

export interface Conversion {
  readonly rules: GrammarRules
  /** `path` is a JSON pointer to `schema`, for error messages. Throws SchemaError. */
  convert(schema: Schema, path: string): Expression
}
