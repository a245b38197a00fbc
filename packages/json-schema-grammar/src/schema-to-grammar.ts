// The front door: a schema in, a grammar out.

import { GrammarRules, type WrittenGrammar } from './grammar/grammar-rules.ts'
import { GrammarTooLarge } from './grammar/grammar-too-large.ts'
import { addSchema } from './convert/convert.ts'
import { SchemaError } from './schema/schema-error.ts'
import type { Schema } from './schema/schema-object.ts'

/**
 * A GBNF grammar that matches only JSON texts that are valid for `schema`; if it has a tree, an
 * `ItemFollower` of the tree has to allow them, too. Throws SchemaError if that can't be
 * guaranteed.
 */
export function schemaToGrammar(schema: Schema): WrittenGrammar {
  const rules = new GrammarRules()
  const root = addSchema(schema, rules)
  try {
    return rules.write(root)
  } catch (error) {
    throw error instanceof GrammarTooLarge ? new SchemaError('#', error.message) : error
  }
}
