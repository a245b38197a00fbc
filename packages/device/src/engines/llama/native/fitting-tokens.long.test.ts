import { addSchema, GrammarRules } from '@hearth/json-schema-grammar'
import { SCHEMA_EXAMPLES } from '@hearth/json-schema-grammar/testing'
import { expect, it } from 'vitest'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

it(`knows which tokens the library allows, and lists them where there are few, for ${SCHEMA_EXAMPLES.length} schemas`, async () => {
  const all = Array.from({ length: native.vocabulary.size }, (_, token) => token)
  const counts = { few: 0, many: 0 }
  for (const [, schema, accepted] of SCHEMA_EXAMPLES) {
    const rules = new GrammarRules()
    const grammar = await native.compileGrammar(rules.write(addSchema(schema, rules)).text)
    const state = grammar.start()
    for (const token of [...native.vocabulary.tokenize(accepted.at(-1) ?? '', false).slice(0, 60), undefined]) {
      const few = grammar.few(state)
      const allowed = all.filter((other) => grammar.allows(state, other))
      if (few === undefined) expect(allowed.length).toBeGreaterThan(40)
      else expect({ schema, few: few.toSorted((a, b) => a - b) }).toEqual({ schema, few: allowed })
      expect({ schema, misfits: grammar.misfits(state)?.length }).toEqual({
        schema,
        misfits: all.length - allowed.length,
      })
      expect(allowed.filter((other) => grammar.misfits(state)?.includes(other))).toEqual([])
      counts[few === undefined ? 'many' : 'few']++
      if (token !== undefined) grammar.accept(state, token)
    }
  }
  expect(counts.few).toBeGreaterThan(counts.many)
})
