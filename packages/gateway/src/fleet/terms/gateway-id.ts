// The id of a gateway: a new one at every start. It begins with the gateway's user at NATS, whose permissions can keep others from reading
// what is meant for it: messages for a gateway have the subject `hearth.to.<id>`.

import { randomUUID } from 'node:crypto'

/** The user comes from the operator, and may have characters that a subject can't have. */
const USER = /^[\w-]{1,64}$/
const ID = /^([\w-]{1,64}\.)?[\w-]{1,64}$/
export const MAX_GATEWAY_ID_LENGTH = 129

export function newGatewayId(user = ''): string {
  return USER.test(user) ? `${user}.${randomUUID()}` : randomUUID()
}

export function isGatewayId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text)
}
