import { randomShortSchema, randomUniqueSchema } from '@hearth/json-schema-grammar/testing'
import type { ChatJob, JsonSchema } from '@hearth/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { greedy, useTinyEngine } from '../testing/tiny-engine.ts'

const SCHEMAS = 200
const tiny = await useTinyEngine({ slots: 4 })
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

/** The replies to a question, one for each random schema, all at once; an error in place of a reply. */
function answerAll(schemaOf: (seed: number) => JsonSchema, question: string, rest: Partial<ChatJob>) {
  const seeds = Array.from({ length: SCHEMAS }, (_, index) => index + 1)
  return Promise.all(
    seeds.map(async (seed) => {
      const schema = schemaOf(seed)
      const job = greedy(question, { ...rest, responseFormat: { type: 'json_schema', name: 'made', schema } })
      const reply = await tiny.ask(job).catch((error: unknown) => String(error))
      return { seed, schema, reply }
    }),
  )
}

describe(`replies with ${SCHEMAS} random schemas as their response format`, () => {
  it('are valid for a model that draws freely', async () => {
    const answered = await answerAll(randomShortSchema, 'Describe Ada, 42, as JSON.', {
      temperature: 1,
      maxTokens: 1500,
    })
    for (const { seed, schema, reply } of answered) {
      const validate = ajv.compile(schema)
      const isValid = typeof reply !== 'string' && reply.finishes[0] === 'stop' && validate(JSON.parse(reply.text))
      expect(isValid ? 'valid' : { seed, reply, errors: validate.errors }).toBe('valid')
    }
  })

  it('have no equal items for a model that draws wildly', async () => {
    const answered = await answerAll(randomUniqueSchema, 'Name colors as JSON.', { temperature: 2, maxTokens: 300 })
    const errors = answered.flatMap(({ reply }) => (typeof reply === 'string' ? [reply] : []))
    const failed = errors.filter((error) => !error.includes('Invalid schema'))
    // Some of these schemas let a writer use up what later items need.
    expect(failed.filter((error) => !error.includes('No token can follow'))).toEqual([])
    expect(failed.length).toBeLessThanOrEqual(SCHEMAS / 10)
    const finished = answered.flatMap(({ seed, schema, reply }) =>
      typeof reply === 'string' || reply.finishes[0] !== 'stop' ? [] : [{ seed, schema, text: reply.text }],
    )
    for (const { seed, schema, text } of finished)
      expect(ajv.compile(schema)(JSON.parse(text)) ? 'valid' : { seed, text }).toBe('valid')
    expect(finished.length).toBeGreaterThan(SCHEMAS / 3)
  })
})
