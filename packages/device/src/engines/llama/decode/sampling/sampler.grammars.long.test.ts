import { addSchema, GrammarRules } from '@hearth/json-schema-grammar'
import { SCHEMA_EXAMPLES } from '@hearth/json-schema-grammar/testing'
import { describe, expect, it } from 'vitest'
import { compileWritten } from '../../native/distinct-items.ts'
import type { Grammar, Token } from '../../native/native.ts'
import {
  countDraws,
  deviation,
  type Deviation,
  expectShares,
  impliedShares,
  surprise,
} from '../../testing/draw-shares.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { Sampler, type SamplerSettings } from './sampler.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const DRAWS = 500
const ASKED = '<|im_start|>user\nDescribe Ada, 42, as JSON.<|im_end|>\n<|im_start|>assistant\n'

const COLORS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'white']
/** Schemas, and a text that is valid for each. */
const SCHEMAS = [
  { schema: { enum: COLORS }, text: '"pink"' },
  { schema: { type: 'object', properties: { color: { enum: COLORS } }, required: ['color'] }, text: '{"color":"red"}' },
  ...SCHEMA_EXAMPLES.map(([, schema, accepted]) => ({ schema, text: accepted.at(-1) ?? '' })),
]

const SETTINGS: readonly Settings[] = [
  { temperature: 1 },
  { temperature: 0.3 },
  { temperature: 2 },
  { temperature: 1, topP: 0.9 },
  { temperature: 0.7, topP: 0.8, topK: 20 },
  { temperature: 1.5, topK: 3 },
  { temperature: 1, minP: 0.05 },
  { temperature: 1, topK: 100, topP: 0.99 },
  { temperature: 1, topP: 0.5, minP: 0.2 },
]

const native = await useTinyModel({ slots: 1, contextLength: 512 })

/** So that all of it fits into one batch. */
const MOST_BEGUN = 200

/** A state of the grammar, after the tokens in `begun`: it stays as it is, so that the same token can be drawn again and again. */
interface Place {
  grammar: Grammar
  begun: readonly Token[]
  at: number
  fits: (token: Token) => boolean
}

type Settings = SamplerSettings & { temperature: number }

/** The place after some share of the text. */
async function reach(schema: object, text: string, share: number): Promise<Place> {
  const rules = new GrammarRules()
  const grammar = await compileWritten(native, rules.write(addSchema(schema as never, rules)))
  const tokens = native.vocabulary.tokenize(text, false)
  const begun = tokens.slice(0, Math.min(MOST_BEGUN, Math.floor(share * (tokens.length + 1))))
  const written = begun.map((token) => native.vocabulary.text(token)).join('')
  native.context.disposeSequence(0)
  const at = await evaluatePrompt(native, ASKED + written.replaceAll('Ġ', ' '))
  const state = grammar.start()
  for (const token of begun) grammar.accept(state, token)
  const fitting = new Set(
    Array.from({ length: native.vocabulary.size }, (_, token) => token).filter((token) => grammar.allows(state, token)),
  )
  return { grammar, begun, at, fits: (token) => fitting.has(token) }
}

function drawFrom({ grammar, begun, at, fits }: Place, settings: Settings): Promise<Map<Token, number>> {
  const sampler = new Sampler(native, settings, 7)
  let isBegun = false
  const accept: Grammar['accept'] = (state, token) => {
    if (!isBegun) grammar.accept(state, token)
  }
  sampler.constrain({ ...grammar, accept, allows: (_state, token) => fits(token) }, begun, [])
  isBegun = true
  return countDraws(sampler, at, DRAWS)
}

/** Draws once, after tokens that penalties count. */
async function drawAfter(place: Place, drawn: readonly Token[], settings: Settings, seed: number): Promise<Token> {
  const { grammar, begun, at, fits } = place
  const sampler = new Sampler(native, settings, seed)
  for (const token of drawn) sampler.force(token)
  sampler.constrain({ ...grammar, allows: (_state, token) => fits(token) }, begun, [])
  const token = await sampler.draw(at)
  sampler.dispose()
  return token
}

async function measure(place: Place, settings: Settings): Promise<Deviation> {
  const shares = impliedShares(await readLogits(native, place.at), place.fits, settings)
  const counts = await drawFrom(place, settings)
  expect([...counts.keys()].filter((token) => !shares.has(token))).toEqual([])
  return deviation(counts, shares)
}

describe(`draws under a grammar, for ${SCHEMAS.length} schemas`, () => {
  it.each(SETTINGS)('are as often as the tokens that fit imply: %j', async (settings) => {
    const sum = { squares: 0, freedom: 0 }
    for (const [index, { schema, text }] of SCHEMAS.entries()) {
      const place = await reach(schema, text, (index % 7) / 7)
      const { squares, freedom } = await measure(place, settings)
      if (surprise({ squares, freedom }) > 6) expect({ schema, begun: place.begun, squares, freedom }).toBe('expected')
      sum.squares += squares
      sum.freedom += freedom
    }
    expect(surprise(sum)).toBeLessThan(4)
  })

  it.each(SETTINGS)('are as often as the tokens imply that repeat no item: %j', async (settings) => {
    const schema = { type: 'array', items: { type: 'string' }, uniqueItems: true }
    const place = await reach(schema, '["a", "a', 1)
    expect(place.fits(native.vocabulary.tokenize('"', false)[0]!)).toBe(false)
    expect(surprise(await measure(place, settings))).toBeLessThan(5)
  })

  it('are as often as the tokens that fit imply, with penalties and biases', async () => {
    const { schema, text } = SCHEMAS[0]!
    const place = await reach(schema, text, 0.3)
    const drawn = native.vocabulary.tokenize('pink red pink "', false)
    const counts = new Map<Token, number>()
    const biased = Array.from({ length: native.vocabulary.size }, (_, token) => token).find(place.fits)!
    const settings = { temperature: 1, topP: 0.95, repeatPenalty: 1.3, frequencyPenalty: 0.5, presencePenalty: -0.5 }
    const penalties = {
      repeatPenalty: 1.3,
      repeatPenaltyMaxTokens: 512,
      repeatPenaltyTokens: Uint32Array.from(drawn),
      repeatPenaltyFrequencyPenalty: 0.5,
      repeatPenaltyPresencePenalty: -0.5,
      tokenBiasKeys: Uint32Array.of(biased),
      tokenBiasValues: Float32Array.of(2),
    }
    for (let seed = 1; seed <= 4 * DRAWS; seed++) {
      const token = await drawAfter(place, drawn, { ...settings, logitBias: { [biased]: 2 } }, seed)
      counts.set(token, (counts.get(token) ?? 0) + 1)
    }
    expectShares(counts, impliedShares(await readLogits(native, place.at, penalties), place.fits, settings))
  })
})
