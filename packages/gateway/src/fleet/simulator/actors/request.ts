// The request of a simulated client, in the clear or sealed; the box of a simulated device has no lid. All requests have the same length, like
// the names of models: a device may take longer to answer a large one.

import { isSealed, type JobRequest } from '@hearth/protocol'

export interface Wish {
  /** The answer is this many numbers. */
  total: number
  /** The first of them show nothing: the model thinks. */
  hidden: number
  promptTokens: number
}

export function writeRequest(model: string, wish: Wish, sealedFor?: readonly string[]): string {
  const text = textOf(wish)
  if (sealedFor !== undefined) return `{"sealed":{"header":"","box":"${text}","keys":[]},"model":"${model}"}`
  return `{"model":"${model}","messages":[{"role":"user","content":"${text}"}]}`
}

function textOf({ total, hidden, promptTokens }: Wish): string {
  return `${FOUR_DIGITS[total]} ${FOUR_DIGITS[hidden]} ${FOUR_DIGITS[promptTokens]}`
}

const FOUR_DIGITS = Array.from({ length: 10_000 }, (_, count) => String(count).padStart(4, '0'))
const NUMBERS = Array.from({ length: 100 }, (_, number) => `${number} `)

/** A number as devices say it. Most are said again and again. */
export function textOfNumber(number: number): string {
  return NUMBERS[number] ?? `${number} `
}

export function readRequest(request: JobRequest): Wish {
  const text = isSealed(request) ? request.sealed.box : String(request.messages[0]?.content)
  return { total: Number(text.slice(0, 4)), hidden: Number(text.slice(5, 9)), promptTokens: Number(text.slice(10)) }
}

/** How many numbers of the reply the client has already. */
export function begunNumbers(request: JobRequest): number {
  if (!isSealed(request)) return request.recovery?.choices?.[0]?.tokens.length ?? 0
  return (request.recovery?.begun ?? []).reduce((count, { boxes }) => count + boxes.length, 0)
}
