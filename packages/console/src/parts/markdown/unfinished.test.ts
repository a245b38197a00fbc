import { expect, it } from 'vitest'
import { Unfinished } from './unfinished.ts'

function memoryStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
}

const LEAVING = {
  'without a word': () => {},
  'after it was painted': (page: Unfinished) => page.end('1'),
  'in order': (page: Unfinished) => page.leave(),
  'after an error': (page: Unfinished) => page.fail('1'),
}

it.each([
  ['without a word', true],
  ['after it was painted', false],
  ['in order', false],
  ['after an error', true],
] as const)('a text whose page ended %s counts as failed: %s', (how, hasFailed) => {
  const storage = memoryStorage()
  const page = new Unfinished(storage)
  page.begin('1')
  expect(page.hasFailed('1')).toBe(false)
  LEAVING[how](page)
  const next = new Unfinished(storage)
  expect(next.hasFailed('1')).toBe(hasFailed)
  expect(next.hasFailed('2')).toBe(false)
  next.forget('1')
  expect(new Unfinished(storage).hasFailed('1')).toBe(false)
})

it('leaves alone what another tab has begun', () => {
  const storage = memoryStorage()
  const other = new Unfinished(storage)
  const page = new Unfinished(storage)
  other.begin('1')
  page.begin('2')
  page.leave()
  expect(new Unfinished(storage).hasFailed('1')).toBe(true)
})

it('works in a browser that stores nothing', () => {
  const refuse = () => {
    throw new Error('No storage')
  }
  const page = new Unfinished({ getItem: refuse, setItem: refuse, removeItem: refuse })
  page.begin('1')
  page.fail('1')
  expect(page.hasFailed('1')).toBe(true)
})

it('keeps a bounded number', () => {
  const storage = memoryStorage()
  const page = new Unfinished(storage)
  for (let id = 0; id < 1_000; id += 1) page.fail(String(id))
  expect(storage.getItem('hearth-unfinished')!.split(' ').length).toBe(100)
  expect(new Unfinished(storage).hasFailed('999')).toBe(true)
})
