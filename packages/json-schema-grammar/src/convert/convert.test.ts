import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { GrammarRules } from '../grammar/grammar-rules.ts'
import { createChance, randomAnySchema } from '../testing/random-schema.ts'
import { randomText } from '../testing/random-text.ts'
import { addSchema } from './convert.ts'
import { SchemaError } from '../schema/schema-error.ts'
import type { SchemaObject } from '../schema/schema-object.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

const RUNS = 270

/** Undefined if the schema is rejected. */
function samples(schema: SchemaObject, seed: number): string[] | undefined {
  const [rules, chance] = [new GrammarRules(), createChance(seed)]
  try {
    const root = addSchema(schema, rules)
    return Array.from({ length: 7 }, () => randomText(root, rules, chance))
  } catch (error) {
    if (error instanceof SchemaError) return undefined
    throw error
  }
}

it('a schema’s grammar allows only valid texts, for hundreds of random schemas, most of which are taken', () => {
  let taken = 0
  for (let seed = 1; seed <= RUNS; seed++) {
    const schema = randomAnySchema(seed)
    const texts = samples(schema, seed)
    if (texts === undefined) continue
    taken++
    const validate = ajv.compile(schema)
    const invalid = texts.filter((text) => !validate(JSON.parse(text)))
    if (invalid.length > 0) expect({ seed, schema, invalid }).toBe('valid')
  }
  expect(taken).toBeGreaterThan(RUNS / 2)
})
