import { describe, expect, it } from 'vitest'
import { Logprobs, NEVER } from './logprobs.ts'
import type { Token } from '../../native/native.ts'
import { Sampler } from './sampler.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { createTokenBytes } from '../../native/token-bytes.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

const bytes = createTokenBytes(native.vocabulary)
const text = '<|im_start|>user\nName three colors.<|im_end|>\n<|im_start|>assistant\n'
/** The place of the distribution after the prompt. */
const at = await evaluatePrompt(native, text)

const logits = await readLogits(native, at)
const likeliest = [...logits.keys()]

async function draw(settings: ConstructorParameters<typeof Sampler>[1], times = 1): Promise<Token[]> {
  const sampler = new Sampler(native, settings, 7)
  const tokens: Token[] = []
  for (let time = 0; time < times; time++) tokens.push(await sampler.draw(at))
  sampler.dispose()
  return tokens
}

describe('Sampler', () => {
  it('moves a greedy draw to the next token once the penalties outweigh the gap', async () => {
    const [first, second] = likeliest as [Token, Token]
    const gap = logits.get(first)! - logits.get(second)!
    const needed = Math.floor(gap / 2) + 1
    const drawn = await draw({ temperature: 0, frequencyPenalty: 2 }, needed + 1)
    expect(drawn).toEqual([...Array.from({ length: needed }, () => first), second])
  })

  it('bans with -100, forces with 100, and shifts in between', async () => {
    const [first, second] = likeliest as [Token, Token]
    const unlikely = likeliest.at(-1)!
    expect(await draw({ temperature: 0, logitBias: { [first]: -100 } })).toEqual([second])
    expect(await draw({ temperature: 0, logitBias: { [unlikely]: 100 } })).toEqual([unlikely])
    const gap = logits.get(first)! - logits.get(second)!
    expect(await draw({ temperature: 0, logitBias: { [second]: gap - 0.01 } })).toEqual([first])
    expect(await draw({ temperature: 0, logitBias: { [second]: gap + 0.01 } })).toEqual([second])
  })

  it('says so if no token is left to draw', async () => {
    const all = Object.fromEntries(Array.from({ length: native.vocabulary.size }, (_, token) => [token, -100]))
    await expect(draw({ temperature: 1, logitBias: all })).rejects.toThrow(/No token can follow/)
  })
})

describe('Logprobs', () => {
  it('equals the log of the full softmax for every token', async () => {
    const max = Math.max(...logits.values())
    const divisor = max + Math.log([...logits.values()].reduce((sum, logit) => sum + Math.exp(logit - max), 0))
    const logprobs = new Logprobs(native, bytes, 0)
    let sum = 0
    for (const [token, logit] of logits) {
      const { logprob } = await (await logprobs.find(at))(token)
      expect(logprob).toBeCloseTo(logit - divisor, 3)
      sum += Math.exp(logprob)
    }
    logprobs.dispose()
    expect(sum).toBeCloseTo(1, 3)
  })

  it('[F69] lists the likeliest tokens in likeliest, as many as requested', async () => {
    const logprobs = new Logprobs(native, bytes, 20)
    const [first] = likeliest
    const entry = await (await logprobs.find(at))(first!)
    const expected = likeliest.slice(0, 20).map((token) => [...bytes.raw(token)])
    logprobs.dispose()
    expect(entry.top.map((top) => top.bytes)).toEqual(expected)
    expect(entry.top[0]).toEqual({ token: entry.token, logprob: entry.logprob, bytes: entry.bytes })
    for (const { logprob } of entry.top) expect(logprob).toBeGreaterThanOrEqual(NEVER)
  })

  it('shows a token with part of a character as bytes', async () => {
    const [lead] = native.vocabulary.tokenize('🙂', false)
    const logprobs = new Logprobs(native, bytes, 0)
    const entry = await (await logprobs.find(at))(lead!)
    logprobs.dispose()
    expect(entry).toMatchObject({ token: String.raw`bytes:\xf0`, bytes: [0xf0] })
  })
})

describe('token bytes', () => {
  it('[J99] join to exactly the text that was tokenized', () => {
    for (const text of ['Hello, world!', ' two  spaces\n\ttab', 'こんにちは 🙂 é', '{"a": [1, 2]}', '\u0000\u007f'])
      expect(
        Buffer.concat(native.vocabulary.tokenize(text, false).map((token) => bytes.visible(token))).toString(),
      ).toBe(text)
  })

  it('leave control tokens out of the text', () => {
    const tokens = native.vocabulary.tokenize('<|im_end|>', true)
    expect(tokens).toHaveLength(1)
    expect(bytes.visible(tokens[0]!)).toHaveLength(0)
    expect(bytes.raw(tokens[0]!).toString()).toBe('<|im_end|>')
  })
})
