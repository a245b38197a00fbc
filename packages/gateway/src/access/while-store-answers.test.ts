import { expect, it, onTestFinished, vi } from 'vitest'
import type { ApiError } from '@hearth/chat'
import { whileStoreAnswers } from './while-store-answers.ts'

const NEVER = new Promise<never>(() => undefined)

it('gives up on work that was waiting when the store fell silent', async () => {
  const book = { isStoreSilent: false }
  const waiting = whileStoreAnswers(book, () => NEVER)
  book.isStoreSilent = true
  await expect(waiting).rejects.toMatchObject({ code: 'database_unavailable' })
})

it('gives up on work that takes longer than ten seconds, or than it may', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const book = { isStoreSilent: false }
  const outcomes: string[] = []
  const note = ({ code, message }: ApiError) => void outcomes.push(`${code} ${message.slice(0, 35)}`)
  void whileStoreAnswers(book, () => NEVER).catch(note)
  void whileStoreAnswers(book, () => NEVER, 60_000).catch(note)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(outcomes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toEqual(['service_unavailable This took longer than 10 seconds, s'])
  await vi.advanceTimersByTimeAsync(50_000)
  expect(outcomes[1]).toBe('service_unavailable This took longer than 60 seconds, s')
})

it('returns what the work returns, and its errors, while the store answers', async () => {
  const book = { isStoreSilent: false }
  await expect(whileStoreAnswers(book, () => Promise.resolve('read'))).resolves.toBe('read')
  await expect(whileStoreAnswers(book, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
