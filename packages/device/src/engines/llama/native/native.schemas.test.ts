import { addSchema, GrammarRules } from '@hearth/json-schema-grammar'
import { SCHEMA_EXAMPLES, createChance, randomSchema, randomText } from '@hearth/json-schema-grammar/testing'
import type { JsonSchema } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { compileWritten } from './distinct-items.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 256 })

async function grammarOf(schema: JsonSchema) {
  const rules = new GrammarRules()
  const root = addSchema(schema, rules)
  const grammar = await compileWritten(native, rules.write(root))
  return { rules, root, grammar }
}

describe('grammars of schemas in llama.cpp', () => {
  it.each(SCHEMA_EXAMPLES)('enforce %s', async (_name, schema, accepted, rejected) => {
    const { grammar } = await grammarOf(schema)
    expect(accepted.filter((text) => !grammar.matches(text))).toEqual([])
    expect(rejected.filter((text) => grammar.matches(text))).toEqual([])
  })

  it('allow what the schema’s rules allow, for random schemas', async () => {
    for (let seed = 1; seed <= 120; seed++) {
      const { grammar, root, rules } = await grammarOf(randomSchema(seed))
      const chance = createChance(seed)
      for (let time = 0; time < 3; time++) {
        const text = randomText(root, rules, chance)
        if (!grammar.matches(text)) expect({ seed, text }).toBe('accepted')
      }
    }
  })
})
