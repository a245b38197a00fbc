import { TooManyWays } from '@hearth/json-schema-grammar'
import { describe, expect, it, vi } from 'vitest'
import type { Grammar, Token } from '../../native/native.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { countDraws, expectShares, impliedShares } from '../../testing/draw-shares.ts'
import { CutDraw, type Draw } from './cut-draw.ts'
import { ProposedDraw } from './proposed-draw.ts'
import { seededRandom } from './seeded-random.ts'
import { WorkLimit } from './work-limit.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

type DrawSettings = ConstructorParameters<typeof ProposedDraw>[1]

const native = await useTinyModel({ slots: 1, contextLength: 512 })

const text = '<|im_start|>user\nName three colors.<|im_end|>\n<|im_start|>assistant\n'
/** The place of the distribution after the prompt. */
const at = await evaluatePrompt(native, text)

async function byLikelihood(): Promise<Token[]> {
  return [...(await readLogits(native, at)).keys()]
}

/** Draws the first token of what a grammar allows, once. */
async function drawFirst(grammar: Grammar, change: Partial<DrawSettings>, model = native, flat?: Draw): Promise<Token> {
  const settings = { temperature: 1, shape: () => ({}), random: seededRandom(1), ...change }
  const draw = new ProposedDraw(model, settings, { grammar, state: grammar.start() }, flat)
  return draw.draw(at).finally(() => draw.dispose())
}

/** Draws once, and fails if all tokens would have to be compared. */
async function drawOnce(grammar: Grammar, temperature: number, seed = 1): Promise<Token> {
  const forDraw = () => expect.unreachable()
  const flat = temperature === 0 ? undefined : new CutDraw(native, temperature, () => ({}), seed)
  return drawFirst({ ...grammar, forDraw }, { temperature, random: seededRandom(seed) }, native, flat)
}

const GRAMMARS = {
  'any text': 'root ::= [a-zA-Z ]+',
  'one letter': 'root ::= "q"',
  'a long word': 'root ::= "zebra crossing" | " zigzag"',
  'an unlikely character': 'root ::= [\\x7e]',
}

describe('ProposedDraw with a grammar', () => {
  it.each(Object.entries(GRAMMARS))('takes the likeliest token that fits: %s', async (_, text) => {
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
    for (const temperature of [0, 0.01, 1]) expect(await drawFirst(grammar, { temperature, shape })).toBe(-1)
  })

  it('takes the only token that fits without reading any logits', async () => {
    const grammar = await native.compileGrammar(GRAMMARS['one letter'])
    const unread = { ...native, context: { ...native.context, sampleToken: () => expect.unreachable() } }
    for (const temperature of [0, 1])
      expect(native.vocabulary.text(await drawFirst(grammar, { temperature }, unread))).toBe('q')
  })

  it('draws one of few tokens as often as it weighs, however likely others are', async () => {
    const grammar = await native.compileGrammar('root ::= "q" | "z"')
    const few = grammar.few(grammar.start())!
    const logits = await readLogits(native, at)
    const [first, second] = few.map((token) => logits.get(token)!)
    const [likeliest] = logits.keys()
    // More than what few tokens are lifted by.
    const shape = () => ({ tokenBiasKeys: Uint32Array.of(likeliest!), tokenBiasValues: Float32Array.of(500) })
    let count = 0
    for (let seed = 1; seed <= 400; seed++) {
      const drawn = await drawFirst(grammar, { ...(seed % 2 === 0 && { shape }), random: seededRandom(seed) })
      if (drawn === few[0]) count++
    }
    const share = 1 / (1 + Math.exp(second! - first!))
    expect(Math.abs(count - 400 * share)).toBeLessThan(4 * Math.sqrt(400 * share * (1 - share)) + 1)
  })

  it.each([{ temperature: 1, topP: 0.9 }, { temperature: 2, topP: 0.5, minP: 0.01 }, { temperature: 1.5 }])(
    'draws as often as the tokens that fit imply where no token is likely: %j',
    async (cuts) => {
      const grammar = await native.compileGrammar('root ::= [a-fA-Z0-9 ,.:{}]+ | [g-z]+')
      const state = grammar.start()
      const likely = (await byLikelihood()).slice(0, 200)
      const banned = {
        tokenBiasKeys: Uint32Array.from(likely),
        tokenBiasValues: new Float32Array(likely.length).fill(Number.NEGATIVE_INFINITY),
      }
      const few = () => undefined
      const misfits = vi.fn((place: object) => grammar.misfits(place))
      const still = { ...grammar, few, misfits, accept: () => undefined }
      const settings = { ...cuts, shape: () => banned, random: seededRandom(3) }
      const draw = new ProposedDraw(native, settings, { grammar: still, state })
      const shares = impliedShares(await readLogits(native, at, banned), (token) => grammar.allows(state, token), cuts)
      expectShares(await countDraws(draw, at, 3_000), shares)
      expect(misfits).toHaveBeenCalled()
    },
  )

  it.each(['accept', 'forDraw'] as const)('gives up a grammar if %s takes seconds of CPU time', async (name) => {
    let [ofThread, ofOtherThreads] = [0, 0]
    const limit = new WorkLimit({ ofThread: () => ofThread, ofOtherThreads: () => ofOtherThreads })
    const outcomeOf = async (ms: number) => {
      const grammar = await native.compileGrammar('root ::= "q" | "z"')
      const slow: Grammar = {
        ...grammar,
        few: () => undefined,
        misfits: () => undefined,
        allows: () => false,
        // Before all tokens are compared, in another thread.
        forDraw: (state) => ((ofOtherThreads += name === 'forDraw' ? ms : 0), grammar.forDraw(state)),
        accept: (state, token) => ((ofThread += name === 'accept' ? ms : 0), grammar.accept(state, token)),
      }
      const drawing = drawFirst(slow, { temperature: 0, limit })
      // Others have their turn in between.
      ofThread += 60_000
      return drawing.then(() => 'drawn')
    }
    expect(await outcomeOf(2_999)).toBe('drawn')
    await expect(outcomeOf(3_001)).rejects.toThrow(TooManyWays)
  })
})
