import { expect, it } from 'vitest'
import type { DeviceNews, ModelState } from '../news.ts'
import { createNewsPrinter } from './show-news.ts'

it('the app tells once why a model fails, however often it is retried', () => {
  const lines: string[] = []
  const screen = { line: (_: string, text: string) => void lines.push(text), live: () => {} }
  const print = createNewsPrinter(screen, false, () => 0)
  const tell = (state: ModelState): void => print({ type: 'model', name: 'm', state } satisfies DeviceNews)
  const failed = (why: string): ModelState => ({ name: 'failed', why, retryInMs: 5_000 })
  const loading: ModelState = { name: 'loading', sinceMs: 0 }
  for (const state of [loading, failed('no driver'), loading, failed('no driver'), loading, failed('no memory')])
    tell(state)
  tell({ name: 'serving', model: { name: 'm', contextLength: 1, slots: 1, features: [] } })
  tell(loading)
  expect(lines.map((line) => line.split(' (')[0])).toEqual([
    'm: loading…',
    "m: can't serve this model: no driver",
    "m: can't serve this model: no memory",
    'm: ready, 1 slot of 1 tokens',
    'm: loading…',
  ])
})
