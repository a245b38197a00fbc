import { afterEach, expect, it, vi } from 'vitest'
import { Highlighter } from './highlighter.ts'

afterEach(() => vi.useRealTimers())

const NEVER = new AbortController().signal

/** Workers that answer with the text, except for code that never ends. */
function startHighlighter() {
  const seen = { started: 0, ended: 0, requested: [] as string[] }
  const highlighter = new Highlighter(() => {
    seen.started += 1
    return {
      ready: Promise.resolve(),
      highlight: async ({ text }) => {
        seen.requested.push(text)
        return text === 'endless' ? new Promise(() => {}) : [text]
      },
      end: () => void (seen.ended += 1),
    }
  })
  return { highlighter, seen }
}

it('highlights one piece of code after the other with one worker', async () => {
  const { highlighter, seen } = startHighlighter()
  const texts = ['a', 'b', 'c']
  const pieces = await Promise.all(texts.map(async (text) => highlighter.highlight({ language: 'js', text }, NEVER)))
  expect(pieces).toEqual([['a'], ['b'], ['c']])
  expect(seen).toEqual({ started: 1, ended: 0, requested: texts })
})

it('leaves code plain that takes too long, ends the worker, and never tries its language again', async () => {
  vi.useFakeTimers()
  const { highlighter, seen } = startHighlighter()
  const slow = highlighter.highlight({ language: 'ini', text: 'endless' }, NEVER)
  const same = highlighter.highlight({ language: 'ini', text: 'a' }, NEVER)
  const other = highlighter.highlight({ language: 'js', text: 'b' }, NEVER)
  await vi.runAllTimersAsync()
  expect(await Promise.all([slow, same, other])).toEqual([undefined, undefined, ['b']])
  expect(seen).toEqual({ started: 2, ended: 1, requested: ['endless', 'b'] })
})

it('skips code that changed before its turn', async () => {
  const { highlighter, seen } = startHighlighter()
  const change = new AbortController()
  const old = highlighter.highlight({ language: 'js', text: 'a' }, change.signal)
  change.abort()
  expect(await highlighter.highlight({ language: 'js', text: 'ab' }, NEVER)).toEqual(['ab'])
  expect(await old).toBeUndefined()
  expect(seen.requested).toEqual(['ab'])
})
