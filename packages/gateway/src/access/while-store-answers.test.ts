import { expect, it } from 'vitest'
import { whileStoreAnswers } from './while-store-answers.ts'

const NEVER = new Promise<never>(() => undefined)

it('[M46] gives up on work that was waiting when the store fell silent', async () => {
  const book = { isStoreSilent: false }
  const waiting = whileStoreAnswers(book, () => NEVER)
  book.isStoreSilent = true
  await expect(waiting).rejects.toMatchObject({ code: 'database_unavailable' })
})

it('[M46] returns what the work returns, and its errors, while the store answers', async () => {
  const book = { isStoreSilent: false }
  await expect(whileStoreAnswers(book, () => Promise.resolve('read'))).resolves.toBe('read')
  await expect(whileStoreAnswers(book, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
