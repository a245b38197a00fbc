import { newAgreementKey, sealJob } from '@hearth/sealing'
import { exampleHeader } from '@hearth/sealing/testing/examples'
import { describe, expect, it } from 'vitest'
import { mostSealedBytes, prepareSealed } from './prepare-sealed.ts'

const HEADER = exampleHeader({ organization: 'acme', model: 'm', features: ['sealed'], choices: 2, promptTokens: 64 })
const KEY = { device: 'd', enc: 'A'.repeat(43), key: 'A'.repeat(64) }

function prepare(header: object = {}, body: object = {}, isSeparate = false) {
  const sealed = { header: JSON.stringify({ ...HEADER, ...header }), box: 'AAAA', keys: [KEY], ...body }
  return prepareSealed(Buffer.from(JSON.stringify(sealed)), 'acme', { name: 'n', ...(isSeparate && { isSeparate }) })
}

describe('a sealed request', () => {
  it('becomes a job whose sizes come from the part in the clear', () => {
    const { text, ...rest } = prepare({ maxTokens: 10, prefixes: [{ hash: 7, size: 512 }] })
    expect(JSON.parse(text)).toMatchObject({
      sealed: { box: 'AAAA', keys: [KEY] },
      model: 'm',
      prefixScope: { name: 'n' },
    })
    expect(rest).toMatchObject({
      model: 'm',
      choices: 2,
      stream: true,
      features: ['sealed'],
      sealedFor: ['d'],
      size: { cost: 64 + 20, answerLimit: 20, promptSize: 256, prefixes: [{ hash: 7, size: 256 }] },
    })
  })

  it('needs devices that keep prompts apart if its organization wants that', () => {
    expect(prepare({}, {}, true).features).toEqual(['sealed', 'prefix_scope'])
  })

  it.each([
    ['of another organization', { organization: 'other' }],
    ['of another version', { version: 2 }],
    ['without its feature', { features: [] }],
    ['with an unknown feature', { features: ['sealed', 'x'] }],
    ['with too many choices', { choices: 9 }],
    ['with more tokens than there are', { promptTokens: 1e12 }],
    ['that is too long', { model: 'x'.repeat(20_000) }],
  ])('is rejected with a header %s', (_, header) => {
    expect(() => prepare(header)).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'header' }))
  })

  it.each([
    ['no keys', { keys: [] }],
    ['65 keys', { keys: Array.from({ length: 65 }, (_, index) => ({ ...KEY, device: `d${index}` })) }],
    ['two keys for one device', { keys: [KEY, KEY] }],
    ['a key that is too short', { keys: [{ ...KEY, enc: 'A' }] }],
    ['no box', { box: 1 }],
  ])('is rejected with %s', (_, body) => {
    expect(() => prepare({}, body)).toThrow(expect.objectContaining({ code: 'invalid_value' }))
  })
})

it.each([1_000, 1_048_577])('a conversation of %i bytes that may come in the clear may come sealed', async (size) => {
  const { publicKey: key } = newAgreementKey()
  const devices = Array.from({ length: 64 }, (_, index) => ({ id: `${index}`.padStart(36, '0'), key }))
  const { body } = await sealJob({ header: HEADER, job: 'x'.repeat(size), devices })
  expect(JSON.stringify(body).length).toBeLessThanOrEqual(mostSealedBytes(size))
})
