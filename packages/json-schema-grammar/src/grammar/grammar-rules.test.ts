import { describe, expect, it } from 'vitest'
import { choice, literal, repeat, sequence } from './expression.ts'
import { GrammarRules } from './grammar-rules.ts'

describe('GrammarRules', () => {
  it('writes the same grammar every time', () => {
    const rules = new GrammarRules()
    const root = sequence('[', repeat(choice(literal('a'), literal('bc')), 0), ']')
    const { text } = rules.write(root)
    expect(text).toContain('repeated-0 ::= "a" | "bc"')
    expect(rules.write(root).text).toBe(text)
  })

  it('has one rule for equal bodies, and others for texts and classes that look like them', () => {
    const rules = new GrammarRules()
    const once = rules.add('first', sequence('a', repeat(literal('b'), 0, 3)))
    expect(rules.add('second', sequence('a', repeat(literal('b'), 0, 3)))).toBe(once)
    expect(rules.add('third', sequence('a', repeat(literal('b'), 0, 4)))).not.toBe(once)
    expect(rules.add('fourth', literal('ab'))).not.toBe(rules.add('fifth', sequence('a', 'b')))
  })
})
