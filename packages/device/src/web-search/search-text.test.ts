import fc from 'fast-check'
import type { ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { searchText } from './search-text.ts'

const said = (...texts: string[]): ChatJob['messages'] =>
  texts.flatMap((content) => [
    { role: 'user' as const, content },
    { role: 'assistant' as const, content: 'Well.' },
  ])

describe('searchText', () => {
  it("is the user's last message, on one line", () => {
    expect(searchText(said('Hello there my friend', 'What is  the\ncapital of Norway and its population?'))).toBe(
      'What is the capital of Norway and its population?',
    )
  })

  it('of a short follow-up includes the question before it', () => {
    expect(searchText(said('Who is the mayor of Oslo?', 'And of Bergen?'))).toBe(
      'Who is the mayor of Oslo? And of Bergen?',
    )
  })

  it('of a long message is the question in it', () => {
    const long = `${'Here is my essay. '.repeat(60)}\nWho wrote the oldest saga? ${'More essay. '.repeat(40)}`
    expect(searchText(said(long))).toBe('Who wrote the oldest saga?')
  })

  it('is never longer than providers accept, and absent if there is nothing to search for', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 3 }), (texts) => {
        const text = searchText(said(...texts))
        expect(text?.length ?? 0).toBeLessThanOrEqual(400)
        expect(text?.split(' ').length ?? 0).toBeLessThanOrEqual(50)
      }),
    )
    expect(searchText([])).toBeUndefined()
    expect(searchText(said(' '))).toBeUndefined()
  })
})
