// The request of a simulated client, in clear or sealed; the box of a simulated device has no lid. All requests have the same length: a
// device may take longer to answer a large one.

import { isSealed, type JobRequest } from '@hearth/protocol'

export interface Wish {
  /** The answer is this many numbers. */
  total: number
  /** The first of them show nothing: the model thinks. */
  hidden: number
  promptTokens: number
}

const LENGTH = 73

export function writeRequest(model: string, wish: Wish, sealedFor?: readonly string[]): string {
  return sealedFor === undefined ? writePlain(model, wish) : writeSealed(model, wish)
}

function writePlain(model: string, wish: Wish): string {
  return withLength((padding) =>
    JSON.stringify({ model, messages: [{ role: 'user', content: textOf(wish) + padding }] }),
  )
}

function writeSealed(model: string, wish: Wish): string {
  return withLength((header) => JSON.stringify({ sealed: { header, box: textOf(wish), keys: [] }, model }))
}

function textOf({ total, hidden, promptTokens }: Wish): string {
  return [total, hidden, promptTokens].map((count) => String(count).padStart(4, '0')).join(' ')
}

function withLength(write: (padding: string) => string): string {
  return write(' '.repeat(LENGTH - write('').length))
}

export function readRequest(request: JobRequest): Wish {
  const text = isSealed(request) ? request.sealed.box : String(request.messages[0]?.content)
  const [total = 0, hidden = 0, promptTokens = 0] = text.split(' ').map(Number)
  return { total, hidden, promptTokens }
}

/** How many numbers of the reply the client has already. */
export function begunNumbers(request: JobRequest): number {
  if (!isSealed(request)) return request.recovery?.choices?.[0]?.tokens.length ?? 0
  return (request.recovery?.begun ?? []).reduce((count, { boxes }) => count + boxes.length, 0)
}
