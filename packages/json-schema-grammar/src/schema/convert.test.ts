import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { GrammarRules } from '../grammar/grammar-rules.ts'
import { createChance, randomSchema } from '../testing/random-schema.ts'
import { randomText } from '../testing/random-text.ts'
import { addSchema } from './convert.ts'
import type { SchemaObject } from './schema-object.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

function samples(schema: SchemaObject, seed: number, count: number): string[] {
  const rules = new GrammarRules()
  const root = addSchema(schema, rules)
  const chance = createChance(seed)
  return Array.from({ length: count }, () => randomText(root, rules, chance))
}

describe('texts that a schema’s grammar allows', () => {
  it('[X1] are valid, for hundreds of random schemas', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const schema = randomSchema(seed)
      const validate = ajv.compile(schema)
      for (const text of samples(schema, seed, 8)) {
        const isValid = validate(JSON.parse(text))
        if (!isValid) expect({ seed, schema, text, errors: validate.errors }).toBe('valid')
      }
    }
  })
})
