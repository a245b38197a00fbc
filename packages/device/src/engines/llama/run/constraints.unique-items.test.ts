import type { ChatJob, JobTool, JsonSchema } from '@hearth/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { EngineJob } from '../../engine.ts'
import { greedy, useTinyEngine } from '../testing/tiny-engine.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

const tiny = await useTinyEngine({ slots: 4, contextLength: 1024 })

const set = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items,
  uniqueItems: true,
  minItems: 3,
  maxItems: 6,
  ...more,
})

const MODEL = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 1 }, isGood: { type: 'boolean' } },
  required: ['name', 'isGood'],
}

/** What pydantic writes for its sets, with few values: a model that draws freely would repeat them. */
const SETS: [string, JsonSchema][] = [
  ['set[str]', set({ type: 'string', maxLength: 1 })],
  ['set[str] with a pattern', set({ type: 'string', pattern: '^[ab]{1,2}$' })],
  ['frozenset[int]', set({ type: 'integer' })],
  ['set of an enum', set({ enum: Array.from('abcdefghijkl') })],
  ['set of a model', set(MODEL)],
  ['set of sets', set(set({ enum: ['a', 'b'] }, { minItems: 0 }))],
  ['a set inside', { type: 'object', properties: { tags: set({ type: 'string', maxLength: 2 }) }, required: ['tags'] }],
]

const SETTINGS: Partial<EngineJob>[] = [
  { temperature: 0 },
  { temperature: 2 },
  { temperature: 1, topP: 0.5 },
  { temperature: 1.5, topK: 3 },
  { temperature: 1, minP: 0.1, repeatPenalty: 0.8 },
]

function format(schema: JsonSchema): Partial<ChatJob> {
  return { responseFormat: { type: 'json_schema', name: 'made', schema }, maxTokens: 400 }
}

/** Biases for every token that is one of these texts, or contains one. */
function biased(bias: number, fits: (text: string) => boolean): Record<string, number> {
  const { vocabulary } = tiny.parts.native
  const tokens = Array.from({ length: vocabulary.size }, (_, token) => token)
  return Object.fromEntries(tokens.filter((token) => fits(vocabulary.text(token))).map((token) => [token, bias]))
}

describe('arrays whose items may not repeat', () => {
  it.each(SETS)('have different items whatever the model prefers: %s', async (_name, schema) => {
    const validate = ajv.compile(schema)
    const repeats = biased(15, (text) => ['"', 'a', '1', ',', '","'].includes(text))
    const asked = SETTINGS.flatMap((settings) => [settings, { ...settings, logitBias: repeats }])
    const job = greedy('Name colors as JSON.', format(schema))
    const replies = await Promise.all(asked.map((settings) => tiny.ask({ ...job, ...settings })))
    const finished = replies.filter(({ finishes }) => finishes[0] === 'stop')
    for (const { text } of finished)
      expect(validate(JSON.parse(text)) ? 'valid' : { text, errors: validate.errors }).toBe('valid')
    expect(finished.length).toBeGreaterThanOrEqual(8)
  })

  it('have different items in the arguments of a tool', async () => {
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 9 }, days: set({ type: 'string', maxLength: 1 }) },
      required: ['city', 'days'],
    }
    const tools: JobTool[] = [{ name: 'get_weather', description: 'Get the weather', parameters }]
    const validate = ajv.compile(parameters)
    const repeats = biased(15, (text) => ['"', 'a'].includes(text))
    const asked = [{}, { logitBias: repeats }, { temperature: 1, logitBias: repeats }, { temperature: 1, topP: 0.9 }]
    const job = greedy('What is the weather in Oslo?', { tools, maxTokens: 300 })
    const replies = await Promise.all(asked.map((settings) => tiny.ask({ ...job, ...settings })))
    const calls = replies.flatMap((reply) => (reply.finishes[0] === 'tool_calls' ? reply.calls : []))
    for (const call of calls)
      expect([call.arguments, validate(JSON.parse(call.arguments))]).toEqual([call.arguments, true])
    expect(calls.length).toBeGreaterThanOrEqual(1)
  })

  it('end with an error if nothing is left, not with a document that isn’t valid', async () => {
    const schema = set({ type: 'string', pattern: '^(?:a|b|z+)$' }, { minItems: 3 })
    const job = greedy('Name colors as JSON.', {
      ...format(schema),
      logitBias: biased(-100, (text) => text.includes('z')),
    })
    await expect(tiny.ask(job)).rejects.toMatchObject({ code: 'failed' })
    await expect(tiny.ask(job)).rejects.toThrow(/logit_bias bans all that would fit, or .* "uniqueItems"/)
  })
})
