// Limits how many requests of one network are answered at the same time, so that the queue in front of the store always has room for others.
// Streams count only until they have begun.

import type { MiddlewareHandler } from 'hono'
import { ApiError } from '@hearth/chat'
import { isLoopback, networkOf } from '../../access/network/client-network.ts'
import { AtOnce } from '../../at-once.ts'
import type { ConsoleEnv } from '../console.ts'

export const PER_NETWORK = 64
/** Behind a local proxy that was not configured, everyone seems to come from this machine. */
const FROM_THIS_MACHINE = 160

export function limitCrowds(): MiddlewareHandler<ConsoleEnv> {
  const answering = new AtOnce()
  return async ({ env: { address, chargeTo } }, next) => {
    const network = networkOf(address)
    // Until it is clear who asks.
    chargeTo({ organization: network, key: network })
    const leave = answering.enter(network, isLoopback(address) ? FROM_THIS_MACHINE : PER_NETWORK)
    if (!leave)
      throw new ApiError('rate_limit_exceeded', 'Too many requests at once from your network. Try again.', null, {
        'retry-after': '1',
      })
    try {
      await next()
    } finally {
      leave()
    }
  }
}
