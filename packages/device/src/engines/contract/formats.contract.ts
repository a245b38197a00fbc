// Replies in a response format.

import type { Harness } from '../testing/harness.ts'
import type { ChatJob } from '@hearth/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

export const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    kind: { enum: ['cat', 'dog'] },
    tags: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 },
  },
  required: ['name', 'age', 'kind', 'tags'],
  additionalProperties: false,
}

export function itRepliesWithJson({ ask }: Harness): void {
  it('[F61] replies with a JSON object', async () => {
    const replies = await Promise.all(
      [0, 0.8].map((temperature) => ask({ responseFormat: { type: 'json_object' }, maxTokens: 300, temperature })),
    )
    for (const { text, finishes } of replies.filter(({ finishes: [finish] }) => finish === 'stop')) {
      expect(finishes).toEqual(['stop'])
      expect(JSON.parse(text)).toBeTypeOf('object')
    }
    expect(replies.every(({ text }) => text.trimStart().startsWith('{'))).toBe(true)
  })
}

export function itFollowsSchemas({ ask }: Harness): void {
  const format = (schema: object): Partial<ChatJob> => ({
    responseFormat: { type: 'json_schema', name: 'person', schema: { ...schema } },
    maxTokens: 200,
  })

  it('follows the schema at any temperature', async () => {
    const validate = ajv.compile(PERSON)
    for (const { text } of await Promise.all([0, 1, 1.5].map((temperature) => ask({ ...format(PERSON), temperature }))))
      expect(validate(JSON.parse(text)) ? 'valid' : validate.errors).toBe('valid')
  })

  it('[F60a] rejects a schema it can’t enforce, and names the place', async () => {
    const schema = { type: 'object', properties: { a: { type: 'object', patternProperties: { '(?<=a)b': {} } } } }
    const refused = ask(format(schema))
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_json_schema',
      param: 'response_format',
      retryable: false,
    })
    await expect(refused).rejects.toThrow(/#\/properties\/a.*patternProperties/)
  })
}
