// Gateways for a test of one part: whatever that part says to others is heard as a message.

import type { Gateways } from '../ports/gateways.ts'
import { remoteGateway } from '../ports/remote-gateway.ts'
import type { Message } from '../terms/messages.ts'

/** The gateway that the message is for; undefined if it is for the scheduler of the moment. */
type Hear = (message: Message, to: string | undefined) => void

export function recordedGateways(hear: Hear = () => {}, self = 'self'): Gateways {
  const of = (gateway?: string) => remoteGateway((message) => hear(message, gateway))
  return {
    self,
    of,
    schedulerOf: () => of().schedulers,
    isSchedulerOf: () => true,
    isReachable: () => true,
  }
}
