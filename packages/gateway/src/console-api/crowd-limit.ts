// Limits how many requests of one network are answered at the same time, so that the queue in front of the store always has room for others.
// Streams count only until they have begun.

import type { MiddlewareHandler } from 'hono'
import { isLoopback, networkOf } from '../access/client-network.ts'
import { ApiError } from '../errors.ts'
import type { ConsoleEnv } from './console.ts'

const PER_NETWORK = 64
/** Behind a local proxy that was not configured, everyone seems to come from this machine. */
const FROM_THIS_MACHINE = 160

export function limitCrowds(): MiddlewareHandler<ConsoleEnv> {
  const answering = new Map<string, number>()
  return async ({ env: { address } }, next) => {
    const network = networkOf(address)
    const count = answering.get(network) ?? 0
    if (count >= (isLoopback(address) ? FROM_THIS_MACHINE : PER_NETWORK))
      throw new ApiError('rate_limit_exceeded', 'Too many requests at once from your network. Try again.', null, {
        'retry-after': '1',
      })
    answering.set(network, count + 1)
    try {
      await next()
    } finally {
      leave(answering, network)
    }
  }
}

function leave(answering: Map<string, number>, network: string): void {
  const left = (answering.get(network) ?? 1) - 1
  if (left === 0) answering.delete(network)
  else answering.set(network, left)
}
