// POST /device/v1/enrol: a machine exchanges a one-time token for its own credential, which is shown once. Only its digest is stored.

import type { IncomingMessage } from 'node:http'
import { isObject, type Machine } from '@hearth/protocol'
import { requireText, ApiError, type NodeOutlet, readJson } from '@hearth/chat'
import type { AccessBook } from '../../access/book/access-book.ts'
import type { GuessLimiter } from '../../access/limits/guess-limiter.ts'
import { createCredential, digestSecret, isEnrolmentToken } from '../../access/secrets/secrets.ts'
import type { Store } from '../../store/store.ts'
import { clientAddress } from '../request-head.ts'
import { readDeviceName, readJoiningMachine, readPlainText } from './joining-machine.ts'

export const MAX_ENROL_BYTES = 16 * 1024

export interface EnrolContext {
  store: Store
  book: AccessBook
  guessLimiter: GuessLimiter
  addressHeader: string
  mostDevices: number
}

export async function enrolDevice(
  request: IncomingMessage,
  outlet: NodeOutlet,
  { store, book, guessLimiter, addressHeader, mostDevices }: EnrolContext,
): Promise<void> {
  const address = clientAddress(request, addressHeader)
  const { token, ...joining } = readEnrolment(await readJson(request, MAX_ENROL_BYTES))
  const credential = createCredential()
  const device = isEnrolmentToken(token)
    ? await store.redeemEnrolment({
        digest: digestSecret(token),
        ...joining,
        credentialDigest: credential.digest,
        at: new Date(),
        address,
        most: mostDevices,
      })
    : undefined
  if (!device) {
    // Only wrong tokens count as guesses: many devices behind one address may join at the same time.
    guessLimiter.count(address)
    throw new ApiError(
      'invalid_api_key',
      'This enrolment token is unknown, used or expired. Create a new one on the Devices page, or with: hearth admin enrolment create',
    )
  }
  await book.changed()
  const { id, name, organization } = device
  outlet.json(200, JSON.stringify({ device: id, name, organization, credential: credential.key }))
}

function readEnrolment(body: unknown): { token: string; name: string; app?: string; machine?: Machine } {
  if (!isObject(body)) throw new ApiError('invalid_type', 'Invalid body: expected an object with token and name.')
  const token = requireText(body, 'token')
  const app = readPlainText(body, 'app')
  return { token, name: readDeviceName(body), ...(app !== '' && { app }), ...readJoiningMachine(body) }
}
