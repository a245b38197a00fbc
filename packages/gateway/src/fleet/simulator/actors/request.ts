// The request of a simulated client. All requests have the same length: a device may take longer to answer a large one.

import type { ChatJob } from '@hearth/protocol'

export interface Wish {
  /** The answer is this many numbers. */
  total: number
  /** The first of them show nothing: the model thinks. */
  hidden: number
  promptTokens: number
}

export function writeRequest(model: string, { total, hidden, promptTokens }: Wish): string {
  const content = [total, hidden, promptTokens].map((count) => String(count).padStart(4, '0')).join(' ')
  return JSON.stringify({ model, messages: [{ role: 'user', content }] })
}

export function readRequest({ messages }: ChatJob): Wish {
  const [total = 0, hidden = 0, promptTokens = 0] = String(messages[0]?.content).split(' ').map(Number)
  return { total, hidden, promptTokens }
}
