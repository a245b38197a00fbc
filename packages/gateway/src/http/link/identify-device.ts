// Who a device is, by its credential.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@hearth/chat'
import type { AccessBook } from '../../access/book/access-book.ts'
import { readBearer } from '../../access/authenticate.ts'
import type { DialLimiter } from '../../access/limits/dial-limiter.ts'
import type { DeviceIdentity } from '../../fleet/fleet.ts'
import { clientAddress, oneAuthorization } from '../request-head.ts'

export interface IdentifyContext {
  book: AccessBook
  dialLimiter: DialLimiter
  addressHeader: string
  isDraining: () => boolean
}

/** Throws an ApiError if nobody has the credential. */
export type IdentifyDevice = (request: IncomingMessage) => DeviceIdentity

export function createIdentifyDevice({
  book,
  dialLimiter,
  addressHeader,
  isDraining,
}: IdentifyContext): IdentifyDevice {
  return (request) => {
    if (isDraining() || !book.isFresh)
      throw new ApiError('service_unavailable', 'The gateway is not ready for devices. Try again.', null, {
        'retry-after': '5',
      })
    const device = book.device(hash('sha256', readBearer(oneAuthorization(request))))
    if (device) return device
    // Only now: many devices behind one address may dial at the same time. The lookup is in memory.
    dialLimiter.strangers.count(clientAddress(request, addressHeader))
    throw new ApiError(
      'invalid_api_key',
      'Unknown device: it was removed, or its credential is wrong. Log in again with: hearth-device login',
    )
  }
}
