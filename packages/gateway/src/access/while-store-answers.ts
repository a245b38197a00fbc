// Gives up on work that needs the store once the store falls silent, or when the work takes too long. The work itself would wait for the
// driver's time limit, half a minute, long after the gateway knows that nothing will come.

import { ApiError } from '@hearth/chat'
import type { AccessBook } from './book/access-book.ts'
import { storeSilent } from './read-fault.ts'

const LOOK_MS = 250
/** Far longer than any query takes, and shorter than people and proxies wait. */
export const WITHIN_MS = 10_000

export async function whileStoreAnswers<T>(
  book: Pick<AccessBook, 'isStoreSilent'>,
  work: () => Promise<T>,
  withinMs = WITHIN_MS,
): Promise<T> {
  if (book.isStoreSilent) throw storeSilent()
  const end = Promise.withResolvers<never>()
  const look = setInterval(() => book.isStoreSilent && end.reject(storeSilent()), LOOK_MS).unref()
  const deadline = setTimeout(() => end.reject(tookTooLong(withinMs)), withinMs).unref()
  try {
    return await Promise.race([work(), end.promise])
  } finally {
    clearInterval(look)
    clearTimeout(deadline)
  }
}

function tookTooLong(withinMs: number): ApiError {
  const message = `This took longer than ${withinMs / 1_000} seconds, so the gateway gave up. It may still take effect: reload before you try again.`
  return new ApiError('service_unavailable', message, null, { 'retry-after': '5' })
}
