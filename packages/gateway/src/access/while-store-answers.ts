// Gives up on work that needs the store once the store falls silent. The work itself would wait for the driver's time limit, half a minute,
// long after the gateway knows that nothing will come.

import type { AccessBook } from './book/access-book.ts'
import { storeSilent } from './read-fault.ts'

const LOOK_MS = 250

export async function whileStoreAnswers<T>(
  book: Pick<AccessBook, 'isStoreSilent'>,
  work: () => Promise<T>,
): Promise<T> {
  if (book.isStoreSilent) throw storeSilent()
  const silence = Promise.withResolvers<never>()
  const timer = setInterval(() => book.isStoreSilent && silence.reject(storeSilent()), LOOK_MS).unref()
  try {
    return await Promise.race([work(), silence.promise])
  } finally {
    clearInterval(timer)
  }
}
