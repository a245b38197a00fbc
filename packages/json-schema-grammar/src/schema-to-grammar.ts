// The front door: a schema in, the text of a grammar out.

import { GrammarRules, GrammarTooLarge } from './grammar/grammar-rules.ts'
import { addSchema } from './convert/convert.ts'
import { SchemaError } from './schema/schema-error.ts'
import type { Schema } from './schema/schema-object.ts'

/** A GBNF grammar that matches only JSON texts that are valid for `schema`. Throws SchemaError if that can't be guaranteed. */
export function schemaToGrammar(schema: Schema): string {
  const rules = new GrammarRules()
  const root = addSchema(schema, rules)
  try {
    return rules.print(root)
  } catch (error) {
    throw error instanceof GrammarTooLarge ? new SchemaError('#', error.message) : error
  }
}
