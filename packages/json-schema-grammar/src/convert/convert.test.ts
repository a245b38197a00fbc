import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { GrammarRules } from '../grammar/grammar-rules.ts'
import { createChance, randomAnySchema } from '../testing/random-schema.ts'
import { randomText } from '../testing/random-text.ts'
import { addSchema } from './convert.ts'
import { SchemaError } from '../schema/schema-error.ts'
import type { SchemaObject } from '../schema/schema-object.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

function samples(schema: SchemaObject, seed: number, count: number): string[] {
  const rules = new GrammarRules()
  const root = addSchema(schema, rules)
  const chance = createChance(seed)
  return Array.from({ length: count }, () => randomText(root, rules, chance))
}

const RUNS = 270

function samplesIfTaken(schema: SchemaObject, seed: number, count: number): string[] | undefined {
  try {
    return samples(schema, seed, count)
  } catch (error) {
    if (error instanceof SchemaError) return undefined
    throw error
  }
}

describe('texts that a schema’s grammar allows', () => {
  it('[X1] are valid, for hundreds of random schemas, most of which are taken', () => {
    let taken = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      const schema = randomAnySchema(seed)
      const texts = samplesIfTaken(schema, seed, 8)
      if (texts === undefined) continue
      taken++
      const validate = ajv.compile(schema)
      const invalid = texts.filter((text) => !validate(JSON.parse(text)))
      if (invalid.length > 0) expect({ seed, schema, invalid }).toBe('valid')
    }
    expect(taken).toBeGreaterThan(RUNS / 2)
  })
})
