import { describe, expect, it } from 'vitest'
import { prepareChat } from './prepare-chat.ts'

function prepare(content: string, more: Record<string, unknown> = {}) {
  const body = { model: 'm', messages: [{ role: 'user', content }], ...more }
  return prepareChat(Buffer.from(JSON.stringify(body)), { maxMessages: 10, maxTools: 10 })
}

describe('a prepared request', () => {
  it('keeps the job once, as text, and nothing else of the body', () => {
    const { text, ...facts } = prepare('x'.repeat(10_000), { unknown: 'y'.repeat(10_000), tools: [] })
    expect(JSON.parse(text)).toEqual({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(10_000) }] })
    expect(JSON.stringify(facts).length).toBeLessThan(500)
  })

  it('counts two bytes per character for text that needs them', () => {
    const plain = prepare('x'.repeat(1_000))
    const wide = prepare('中'.repeat(1_000))
    expect(plain.textBytes).toBe(plain.text.length)
    expect(wide.textBytes).toBe(2 * wide.text.length)
  })

  it('says whose job it is, and keeps the conversations of keys apart only if asked to', () => {
    const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], n: 2 }))
    const prepareFor = (name: string, isSeparate?: true) =>
      prepareChat(body, { maxMessages: 10, maxTools: 10 }, { name, ...(isSeparate && { isSeparate }) })
    const [ann, bob] = [prepareFor('ann'), prepareFor('bob')]
    expect(JSON.parse(ann.text)).toMatchObject({ prefixScope: { name: 'ann' } })
    expect(ann.shape.demands).toEqual([{ feature: 'n', param: 'n' }])
    expect(ann.size.prefixes).toEqual(bob.size.prefixes)
    const [annAlone, bobAlone] = [prepareFor('ann', true), prepareFor('bob', true)]
    expect(annAlone.size.prefixes).toEqual(prepareFor('ann', true).size.prefixes)
    expect(annAlone.size.prefixes).not.toEqual(bobAlone.size.prefixes)
    expect(annAlone.shape.demands.map(({ feature }) => feature)).toEqual(['n', 'prefix_scope'])
  })

  it('[I86] describes the reply', () => {
    expect(prepare('x', { n: 3, logprobs: true, functions: [{ name: 'f' }] }).shape).toMatchObject({
      model: 'm',
      choices: 3,
      hasLogprobs: true,
      includeUsage: false,
      mirrorsFunctions: true,
    })
  })
})
