import { expect, it } from 'vitest'
import { literal, repeat, sequence } from './expression.ts'
import { GrammarRules } from './grammar-rules.ts'

it('GrammarRules has one rule for equal bodies, and others for texts and classes that look like them', () => {
  const rules = new GrammarRules()
  const once = rules.add('first', sequence('a', repeat(literal('b'), 0, 3)))
  expect(rules.add('second', sequence('a', repeat(literal('b'), 0, 3)))).toBe(once)
  expect(rules.add('third', sequence('a', repeat(literal('b'), 0, 4)))).not.toBe(once)
  expect(rules.add('fourth', literal('ab'))).not.toBe(rules.add('fifth', sequence('a', 'b')))
})
