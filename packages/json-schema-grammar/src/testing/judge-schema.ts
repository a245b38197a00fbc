// Compares a schema's grammar with instances that are known to be valid or invalid.

import { GrammarRules } from '../grammar/grammar-rules.ts'
import { GrammarTooLarge } from '../grammar/grammar-too-large.ts'
import { addSchema } from '../convert/convert.ts'
import { SchemaError } from '../schema/schema-error.ts'
import type { Schema } from '../schema/schema-object.ts'
import { instanceTexts } from './instance-texts.ts'
import { matches } from './matches.ts'

export interface Verdict {
  /** Why the schema was rejected; undefined if it was taken. */
  refusal: string | undefined
  valid: number
  invalid: number
  /** Valid instances that the grammar doesn't allow. */
  tooStrict: string[]
  /** Invalid instances that the grammar allows. */
  tooLoose: string[]
}

export function judgeSchema(schema: Schema, valid: readonly unknown[], invalid: readonly unknown[]): Verdict {
  const counts = { valid: valid.length, invalid: invalid.length }
  try {
    const rules = new GrammarRules()
    const root = addSchema(schema, rules)
    rules.write(root)
    const allows = (instance: unknown) => instanceTexts(instance, schema).some((text) => matches(root, rules, text))
    const texts = (instances: readonly unknown[]) => instances.map((instance) => JSON.stringify(instance))
    return {
      ...counts,
      refusal: undefined,
      tooStrict: texts(valid.filter((instance) => !allows(instance))),
      tooLoose: texts(invalid.filter((instance) => allows(instance))),
    }
  } catch (error) {
    if (!(error instanceof SchemaError || error instanceof GrammarTooLarge)) throw error
    return { ...counts, refusal: error.message, tooStrict: [], tooLoose: [] }
  }
}
