import { describe, expect, it } from 'vitest'
import { GrammarRules } from '../grammar/grammar-rules.ts'
import { matches } from '../testing/matches.ts'
import { addSchema } from './convert.ts'

function accepts(schema: Record<string, unknown>): (text: string) => boolean {
  const rules = new GrammarRules()
  const root = addSchema({ type: 'string', ...schema }, rules)
  return (text) => matches(root, rules, JSON.stringify(text))
}

describe('the length of a text', () => {
  it.each([
    { minLength: 0, maxLength: 128 },
    { minLength: 0, maxLength: 129 },
    { minLength: 1, maxLength: 160 },
    { minLength: 120, maxLength: 140 },
    { minLength: 33, maxLength: 1000 },
    { minLength: 200, maxLength: 200 },
  ])('is counted exactly: $minLength to $maxLength', ({ minLength, maxLength }) => {
    const isAccepted = accepts({ minLength, maxLength })
    const near = [minLength, 31, 32, 33, 63, 64, 65, 95, 96, 97, maxLength - 32, maxLength].flatMap((length) => [
      Math.max(0, length - 1),
      length,
      length + 1,
    ])
    for (const length of near)
      expect([length, isAccepted('é'.repeat(length))]).toEqual([length, length >= minLength && length <= maxLength])
  })

  it('takes little of a grammar, even for many long texts', () => {
    const rules = new GrammarRules()
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'string', maxLength: 1900 + index }]),
    )
    const text = rules.write(addSchema({ type: 'object', properties }, rules)).text
    const counts = Array.from(text.matchAll(/\{\d+,(\d+)\}/g), ([, most]) => Number(most))
    expect(counts.reduce((sum, most) => sum + most, 0)).toBeLessThan(10_000)
  })

  it('takes little of a grammar beside a pattern, and is never exceeded', () => {
    const rules = new GrammarRules()
    const schema = { type: 'string', pattern: '^arn:[a-z-]+:[a-z0-9]*:.+$', minLength: 20, maxLength: 2000 }
    const root = addSchema(schema, rules)
    const isAccepted = (text: string) => matches(root, rules, JSON.stringify(text))
    expect(rules.write(root).text.length).toBeLessThan(20_000)
    const texts = [
      `arn:aws:s3:${'x'.repeat(600)}`,
      'arn:aws:s3:123456789',
      `arn:${'a'.repeat(600)}::${'x'.repeat(600)}`,
    ]
    expect(texts.filter((text) => !isAccepted(text))).toEqual([])
    const wrong = ['arn:aws:s3:12345678', `arn:a::${'x'.repeat(2000)}`, `arn:${'a'.repeat(1995)}::x`, 'a'.repeat(40)]
    expect(wrong.filter(isAccepted)).toEqual([])
  })

  it.each([
    ['uri', 50, `https://example.com/${'a'.repeat(30)}`],
    ['uri-reference', 50, `https://example.com/${'a'.repeat(30)}`],
    ['email', 20, 'grace.hopper@example.com'],
  ])('can have a minimum beside a format: %s', (format, minLength, text) => {
    const isAccepted = accepts({ format, minLength })
    expect([text, text.slice(0, minLength - 1)].map(isAccepted)).toEqual([true, false])
  })
})
