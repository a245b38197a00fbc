// The shape of a reply: its end, its token counts, its length, where it stops.

import type { Harness } from '../testing/harness.ts'
import { expect, it } from 'vitest'

export function itReplies({ ask, engine, isSteady }: Harness): void {
  it('ends once, after all text, and counts the tokens', async () => {
    const { events, usage, finishes } = await ask()
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
    expect(events.at(-1)?.type).toBe('end')
    expect(finishes).toHaveLength(1)
    expect(usage!.promptTokens).toBeGreaterThan(0)
    expect(usage!.completionTokens).toBeGreaterThan(0)
  })

  it('[E48a] writes exactly as many tokens as allowed, and finishes as length', async () => {
    const { finishes, usage, text } = await ask({ maxTokens: 5 })
    expect(finishes).toEqual(['length'])
    expect(usage!.completionTokens).toBe(5)
    if (isSteady) expect((await ask()).text.startsWith(text)).toBe(true)
  })

  it('[E52] keeps the stop sequence and nothing after it', async () => {
    const stopped = await ask({ stop: ['never to be found', 'o', 'e', 'a'] })
    expect(stopped.text).toMatch(/^[^oea]*[oea]$/)
    expect(stopped.finishes).toEqual(['stop'])
  })

  it('[F73a] rejects a prompt that doesn’t fit, and says what would', async () => {
    const { contextLength } = engine().models()[0]!
    const content = 'word '.repeat(contextLength * 2)
    const refused = ask({ messages: [{ role: 'user', content }] })
    await expect(refused).rejects.toMatchObject({ code: 'context_length_exceeded', retryable: false })
    await expect(refused).rejects.toThrow(`maximum context length is ${contextLength} tokens`)
  })
}

export function itGivesChoices({ ask }: Harness): void {
  it('[F70a] gives several choices, each with its end, and counts the tokens of one', async () => {
    const { texts, finishes, usage } = await ask({ n: 5, temperature: 1.5, maxTokens: 12 })
    expect(finishes).toHaveLength(5)
    expect(new Set(texts).size).toBeGreaterThan(1)
    expect(usage!.completionTokens).toBeLessThanOrEqual(12)
  })
}
