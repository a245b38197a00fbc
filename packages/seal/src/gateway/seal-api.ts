// The gateway's address for seals: fetch what it knows, and store signed documents there.

import { asFields, parseFields, text } from '@hearth/sealing/fields'
import type { SignedText } from '@hearth/sealing'
import { readSealInformation, type SealInformation } from './seal-information.ts'
import { readBounded, send, type ToSend } from './send.ts'

/** Two documents of 4 MiB each, with room for escapes, and the devices. */
const MAX_ANSWER_BYTES = 24 * 1024 * 1024
const ANSWER_MS = 30_000
const SEAL_PATH = '/sealed/v1/seal'

export interface GatewayAccess {
  gateway: URL
  apiKey: string
}

export interface Documents {
  administrators?: SignedText
  devices?: SignedText
}

/** What the gateway said instead. */
export interface Rejection {
  kind: 'rejected'
  status: number
  /** Of its error, if it is one of the gateway. */
  code: string | undefined
  message: string | undefined
  /** As it came, with headers that a client should see. */
  body: Buffer
  headers: Readonly<Record<string, string>>
}

export interface FetchedSeal {
  kind: 'fetched'
  information: SealInformation
  /** What the gateway calls this very answer. */
  etag: string | undefined
}

const PASSED_ON = ['x-request-id', 'retry-after', 'x-should-retry', 'www-authenticate', 'content-type', 'etag']

/**
 * With a model, the devices are those that serve it, most room first. What is known already isn't sent again: lists may have megabytes.
 * Rejects if the gateway can't be reached.
 */
export async function fetchSealInformation(
  access: GatewayAccess,
  model?: string,
  known?: FetchedSeal,
): Promise<FetchedSeal | Rejection> {
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`
  const unless = known?.etag === undefined ? {} : { 'if-none-match': known.etag }
  const answer = await ask(access, { method: 'GET', path: SEAL_PATH + query, headers: unless })
  if (answer.status === 304 && known?.etag !== undefined) return known
  const information = answer.status === 200 ? readSealInformation(parseFields(answer.body.toString())) : undefined
  return information ? { kind: 'fetched', information, etag: answer.headers['etag'] } : toRejection(answer)
}

export async function storeDocuments(access: GatewayAccess, documents: Documents): Promise<'stored' | Rejection> {
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(access, { method: 'PUT', path: SEAL_PATH, headers, body: JSON.stringify(documents) })
  return answer.status === 204 ? 'stored' : toRejection(answer)
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

async function ask({ gateway, apiKey }: GatewayAccess, question: Omit<ToSend, 'signal'>): Promise<Answer> {
  const headers = { authorization: `Bearer ${apiKey}`, ...question.headers }
  const message = await send(gateway, { ...question, headers, signal: AbortSignal.timeout(ANSWER_MS) })
  const passed = PASSED_ON.flatMap((name) => {
    const value = message.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const content = await readBounded(message, MAX_ANSWER_BYTES)
  return { status: message.statusCode ?? 0, headers: Object.fromEntries(passed), body: content ?? Buffer.alloc(0) }
}

function toRejection({ status, headers, body }: Answer): Rejection {
  // Not a gateway, or one that is too old, if there are none: the status tells.
  const error = asFields(parseFields(body.toString())?.['error'])
  return { kind: 'rejected', status, code: text(error, 'code'), message: text(error, 'message'), body, headers }
}
