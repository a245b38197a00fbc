import { afterEach, expect, it, vi } from 'vitest'
import { Colorist } from './colorist.ts'

afterEach(() => vi.useRealTimers())

const NEVER = new AbortController().signal

/** Workers that answer with the text, except for code that never ends. */
function startColorist() {
  const seen = { started: 0, ended: 0, asked: [] as string[] }
  const colorist = new Colorist(() => {
    seen.started += 1
    return {
      ready: Promise.resolve(),
      color: async ({ text }) => {
        seen.asked.push(text)
        return text === 'endless' ? new Promise(() => {}) : [text]
      },
      end: () => void (seen.ended += 1),
    }
  })
  return { colorist, seen }
}

it('colors one piece of code after the other with one worker', async () => {
  const { colorist, seen } = startColorist()
  const texts = ['a', 'b', 'c']
  const pieces = await Promise.all(texts.map(async (text) => colorist.color({ language: 'js', text }, NEVER)))
  expect(pieces).toEqual([['a'], ['b'], ['c']])
  expect(seen).toEqual({ started: 1, ended: 0, asked: texts })
})

it('leaves code plain that takes too long, ends the worker, and never tries its language again', async () => {
  vi.useFakeTimers()
  const { colorist, seen } = startColorist()
  const slow = colorist.color({ language: 'ini', text: 'endless' }, NEVER)
  const same = colorist.color({ language: 'ini', text: 'a' }, NEVER)
  const other = colorist.color({ language: 'js', text: 'b' }, NEVER)
  await vi.runAllTimersAsync()
  expect(await Promise.all([slow, same, other])).toEqual([undefined, undefined, ['b']])
  expect(seen).toEqual({ started: 2, ended: 1, asked: ['endless', 'b'] })
})

it('skips code that changed before its turn', async () => {
  const { colorist, seen } = startColorist()
  const change = new AbortController()
  const old = colorist.color({ language: 'js', text: 'a' }, change.signal)
  change.abort()
  expect(await colorist.color({ language: 'js', text: 'ab' }, NEVER)).toEqual(['ab'])
  expect(await old).toBeUndefined()
  expect(seen.asked).toEqual(['ab'])
})
