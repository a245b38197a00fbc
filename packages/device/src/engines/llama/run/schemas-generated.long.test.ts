import { randomShortSchema, randomUniqueSchema } from '@hearth/json-schema-grammar/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { greedy, openTinyEngine, type TinyEngine } from '../testing/tiny-engine.ts'

const SCHEMAS = 400
const UNIQUE_SCHEMAS = 400

describe('replies with a response format', () => {
  let tiny: TinyEngine
  beforeAll(async () => {
    tiny = await openTinyEngine({ slots: 4 })
  })
  afterAll(() => tiny.close())

  it(`[W12] are valid for ${SCHEMAS} random schemas and a model that draws freely`, async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
    const seeds = Array.from({ length: SCHEMAS }, (_, index) => index + 1)
    const answered = await Promise.all(
      seeds.map(async (seed) => {
        const schema = randomShortSchema(seed)
        const responseFormat = { type: 'json_schema', name: 'made', schema } as const
        const job = greedy('Describe Ada, 42, as JSON.', { temperature: 1, maxTokens: 1500, responseFormat })
        const { texts, finishes } = await tiny.ask(job)
        return { seed, schema, text: texts[0] ?? '', finish: finishes[0] }
      }),
    )
    for (const { seed, schema, text, finish } of answered) {
      const validate = ajv.compile(schema)
      const verdict =
        finish === 'stop' && validate(JSON.parse(text)) ? 'valid' : { seed, text, finish, errors: validate.errors }
      expect(verdict).toBe('valid')
    }
  })

  it(`[W12] have no equal items, for ${UNIQUE_SCHEMAS} random schemas and a model that draws wildly`, async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
    const seeds = Array.from({ length: UNIQUE_SCHEMAS }, (_, index) => index + 1)
    const answered = await Promise.all(
      seeds.map(async (seed) => {
        const schema = randomUniqueSchema(seed)
        const responseFormat = { type: 'json_schema', name: 'made', schema } as const
        const job = greedy('Name colors as JSON.', { temperature: 2, maxTokens: 300, responseFormat })
        const reply = await tiny.ask(job).catch((error: unknown) => String(error))
        return { seed, schema, reply }
      }),
    )
    const errors = answered.flatMap(({ reply }) => (typeof reply === 'string' ? [reply] : []))
    const failed = errors.filter((error) => !error.includes('Invalid schema'))
    // Some of these schemas let a writer use up what later items need.
    expect(failed.filter((error) => !error.includes('No token can follow'))).toEqual([])
    expect(failed.length).toBeLessThanOrEqual(UNIQUE_SCHEMAS / 10)
    const finished = answered.flatMap(({ seed, schema, reply }) =>
      typeof reply === 'string' || reply.finishes[0] !== 'stop' ? [] : [{ seed, schema, text: reply.text }],
    )
    for (const { seed, schema, text } of finished)
      expect(ajv.compile(schema)(JSON.parse(text)) ? 'valid' : { seed, text }).toBe('valid')
    expect(finished.length).toBeGreaterThan(UNIQUE_SCHEMAS / 3)
  })
})
