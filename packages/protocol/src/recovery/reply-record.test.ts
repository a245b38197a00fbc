import { expect, it } from 'vitest'
import { MAX_RECOVERY_TOKENS } from '../limits.ts'
import { ReplyRecord } from './reply-record.ts'
import { TextSum } from './text-sum.ts'

it('a reply record has the tokens, text and calls of each choice', () => {
  const record = new ReplyRecord()
  record.addText({ choice: 0, text: 'He', ids: [1, 2] })
  record.addText({ choice: 2, text: 'Hi', ids: [7] })
  record.addText({ choice: 0, text: 'llo' })
  record.addText({ choice: 0, text: '', ids: 3 })
  record.addCalls(2)
  const [hello, nothing, hi] = ['Hello', '', 'Hi'].map((text) => {
    const sum = new TextSum()
    sum.add(text)
    return sum
  }) as [TextSum, TextSum, TextSum]
  expect(record.choices(3)).toEqual([
    { tokens: [1, 2, 3], length: 5, checksum: hello.checksum, hasCalls: false },
    { tokens: [], length: 0, checksum: nothing.checksum, hasCalls: false },
    { tokens: [7], length: 2, checksum: hi.checksum, hasCalls: true },
  ])
})

it('a reply record has nothing to continue before the first token', () => {
  const record = new ReplyRecord()
  expect([record.choices(1), record.isComplete]).toEqual([undefined, true])
})

it('a reply record never takes a text without tokens for nothing, which would be sent twice', () => {
  const record = new ReplyRecord()
  record.addText({ choice: 1, text: 'He' })
  expect(record.choices(2)).toMatchObject([
    { tokens: [], length: 0 },
    { tokens: [], length: 2 },
  ])
})

it('a reply that is too long for its record is given up', () => {
  const record = new ReplyRecord()
  const ids = Array.from({ length: MAX_RECOVERY_TOKENS }, (_, index) => index)
  record.addText({ choice: 0, text: 'a', ids })
  expect(record.isComplete).toBe(true)
  record.addText({ choice: 1, text: 'b', ids: [1] })
  expect(record.isComplete).toBe(false)
})

it('texts of a reply record are told apart, however they are cut', () => {
  const sumOf = (...texts: string[]) => {
    const sum = new TextSum()
    for (const text of texts) sum.add(text)
    return `${sum.length} ${sum.checksum}`
  }
  expect(sumOf('Grüße 👋')).toBe(sumOf('Gr', 'üße \ud83d', '\udc4b'))
  expect(new Set([sumOf('ab'), sumOf('ba'), sumOf('a'), sumOf('')]).size).toBe(4)
})
