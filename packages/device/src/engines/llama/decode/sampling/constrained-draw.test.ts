import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grammar, Native, Token } from '../../native/native.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { loadTinyModel } from '../../testing/tiny-model.ts'
import { ConstrainedDraw } from './constrained-draw.ts'
import type { Constraint } from './constraint.ts'
import { CutDraw } from './cut-draw.ts'
import { seededRandom } from './seeded-random.ts'

let native: Native
/** The place of the distribution after the prompt. */
let at: number

beforeAll(async () => {
  native = await loadTinyModel({ slots: 1, contextLength: 512 })
  const text = '<|im_start|>user\nName three colors.<|im_end|>\n<|im_start|>assistant\n'
  at = await evaluatePrompt(native, text)
})
afterAll(() => native.dispose())

async function byLikelihood(): Promise<Token[]> {
  return [...(await readLogits(native, at)).keys()]
}

function open(constraint: Constraint, temperature: number, seed: number): ConstrainedDraw {
  const free = temperature === 0 ? undefined : new CutDraw(native, temperature, {}, seed)
  const settings = { temperature, shape: () => ({}), random: seededRandom(seed) }
  return new ConstrainedDraw(native, constraint, settings, free)
}

/** Draws once, and fails if all tokens would have to be compared. */
async function drawOnce(grammar: Grammar, temperature: number, seed = 1): Promise<Token> {
  const forDraw = () => expect.unreachable()
  const draw = open({ grammar: { ...grammar, forDraw }, state: grammar.start() }, temperature, seed)
  const token = await draw.draw(at)
  draw.dispose()
  return token
}

const GRAMMARS = {
  'any text': 'root ::= [a-zA-Z ]+',
  'one letter': 'root ::= "q"',
  'a long word': 'root ::= "zebra crossing" | " zigzag"',
  'an unlikely character': 'root ::= [\\x7e]',
}

describe('ConstrainedDraw', () => {
  it.each(Object.entries(GRAMMARS))('[W12] takes the likeliest token that fits: %s', async (_, text) => {
    const grammar = await native.compileGrammar(text)
    const state = grammar.start()
    const best = (await byLikelihood()).find((token) => grammar.allows(state, token))
    expect(await drawOnce(grammar, 0)).toBe(best)
  })

  it.each(Object.entries(GRAMMARS))('draws only what fits, without comparing all tokens: %s', async (_, text) => {
    const grammar = await native.compileGrammar(text)
    const state = grammar.start()
    for (let seed = 1; seed <= 20; seed++) expect(grammar.allows(state, await drawOnce(grammar, 1, seed))).toBe(true)
  })

  it('finds a token that fits however unlikely it is, and none if all are banned', async () => {
    const grammar = await native.compileGrammar(GRAMMARS['an unlikely character'])
    expect(grammar.allows(grammar.start(), await drawOnce(grammar, 0.01))).toBe(true)
    const tokenBiasKeys = Uint32Array.from({ length: native.vocabulary.size }, (_, token) => token)
    const tokenBiasValues = new Float32Array(native.vocabulary.size).fill(Number.NEGATIVE_INFINITY)
    const shape = () => ({ tokenBiasKeys, tokenBiasValues })
    for (const temperature of [0, 0.01, 1]) {
      const settings = { temperature, shape, random: seededRandom(1) }
      const draw = new ConstrainedDraw(native, { grammar, state: grammar.start() }, settings)
      expect(await draw.draw(at)).toBe(-1)
      draw.dispose()
    }
  })

  it('follows the grammar to its end', async () => {
    const grammar = await native.compileGrammar('root ::= "ab"')
    const state = grammar.start()
    const draw = open({ grammar, state }, 0, 1)
    const tokens: Token[] = []
    do tokens.push(await draw.draw(at))
    while (!native.vocabulary.isEnd(tokens.at(-1)!))
    draw.dispose()
    expect(
      tokens
        .slice(0, -1)
        .map((token) => native.vocabulary.text(token))
        .join(''),
    ).toBe('ab')
  })
})
