// A device asks to join with a code (RFC 8628). It describes itself and gets two codes: one to show to a person, who approves it in the
// console, and one to poll with. It polls every few seconds until it gets its credential, once.

import type { IncomingMessage } from 'node:http'
import { isObject, type Machine } from '@hearth/protocol'
import { requireText, ApiError, type NodeOutlet, readJson } from '@hearth/chat'
import type { AccessBook } from '../../access/book/access-book.ts'
import { linkBase } from '../../access/network/forwarded-https.ts'
import type { GuessLimiter } from '../../access/limits/guess-limiter.ts'
import { createCredential, createDeviceCode, digestSecret, isDeviceCode } from '../../access/secrets/secrets.ts'
import { createUserCode } from '../../access/secrets/user-code.ts'
import type { DeviceCodePoll } from '../../store/devices/device-codes.ts'
import type { Store } from '../../store/store.ts'
import { clientAddress } from '../request-head.ts'
import { readDeviceName, readJoiningMachine, readPlainText } from './joining-machine.ts'

export interface DeviceCodeContext {
  store: Store
  book: AccessBook
  guessLimiter: GuessLimiter
  addressHeader: string
  publicUrl: string
  mostDevices: number
}

const MAX_BODY_BYTES = 16 * 1024
const LIFE_MS = 600_000
const INTERVAL_MS = 5_000
/** Two waiting devices must not have the same first half, so another code is drawn in that case. */
const DRAWS = 5

export async function authorizeDevice(
  request: IncomingMessage,
  outlet: NodeOutlet,
  { store, guessLimiter, addressHeader, publicUrl }: DeviceCodeContext,
): Promise<void> {
  const address = clientAddress(request, addressHeader)
  guessLimiter.count(address)
  const facts = readFacts(await readJson(request, MAX_BODY_BYTES))
  const createdAt = new Date()
  const asking = { ...facts, address, createdAt, expiresAt: new Date(createdAt.getTime() + LIFE_MS) }
  const { key: deviceCode, digest } = createDeviceCode()
  for (let draw = 0; draw < DRAWS; draw++) {
    const { text, selector, digest: userCodeDigest } = createUserCode()
    const input = { ...asking, digest, selector, userCodeDigest, intervalMs: INTERVAL_MS }
    if (!(await store.createDeviceCode(input))) continue
    const answer = {
      device_code: deviceCode,
      user_code: text,
      verification_uri: `${linkBase(publicUrl, (name) => request.headers[name]?.toString())}/device`,
      expires_in: LIFE_MS / 1_000,
      interval: INTERVAL_MS / 1_000,
    }
    return outlet.json(200, JSON.stringify(answer))
  }
  throw new ApiError('service_unavailable', 'Too many devices are waiting for approval. Try again in a minute.', null, {
    'retry-after': '60',
  })
}

export async function redeemDeviceCode(
  request: IncomingMessage,
  outlet: NodeOutlet,
  { store, book, addressHeader, mostDevices }: DeviceCodeContext,
): Promise<void> {
  const code = readCode(await readJson(request, MAX_BODY_BYTES))
  const credential = createCredential()
  const poll = await store.pollDeviceCode({
    digest: digestSecret(code),
    credentialDigest: credential.digest,
    at: new Date(),
    address: clientAddress(request, addressHeader),
    most: mostDevices,
  })
  if (poll.kind !== 'approved') throw waiting(poll)
  await book.changed()
  const { id: device, name, organization } = poll.device
  outlet.json(200, JSON.stringify({ device, name, organization, credential: credential.key }))
}

function waiting(poll: Exclude<DeviceCodePoll, { kind: 'approved' }>): ApiError {
  switch (poll.kind) {
    case 'pending':
      return new ApiError('authorization_pending', 'The code has not been approved yet. Keep polling.')
    case 'slow-down':
      return new ApiError('slow_down', `Poll at most every ${poll.intervalMs / 1_000} seconds.`, null, {
        'retry-after': String(poll.intervalMs / 1_000),
      })
    case 'denied':
      return new ApiError('access_denied', 'The code was denied, or there were too many wrong attempts. Start again.')
    case 'expired':
      return new ApiError('expired_token', 'The code has expired or was already used. Start again.')
    default:
      return poll satisfies never
  }
}

function readFacts(body: unknown): { name: string; app: string; system: string; machine?: Machine } {
  if (!isObject(body)) throw new ApiError('invalid_type', 'Invalid body: expected an object with name, app and system.')
  return {
    name: readDeviceName(body),
    app: readPlainText(body, 'app'),
    system: readPlainText(body, 'system'),
    ...readJoiningMachine(body),
  }
}

function readCode(body: unknown): string {
  if (!isObject(body)) throw new ApiError('invalid_type', 'Invalid body: expected an object with device_code.')
  const code = requireText(body, 'device_code')
  if (isDeviceCode(code)) return code
  throw new ApiError('expired_token', 'The code has expired or was already used. Start again.')
}
