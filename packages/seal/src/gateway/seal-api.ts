// The gateway's address for seals: fetch what it knows, and store signed documents there.

import { isFields, text } from '@hearth/command-line/files/fields'
import type { SignedText } from '@hearth/sealing'
import { readSealInformation, type SealInformation } from './seal-information.ts'
import { readBounded, send } from './send.ts'

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

export type Fetched = { kind: 'fetched'; information: SealInformation } | Rejection

const PASSED_ON = ['x-request-id', 'retry-after', 'x-should-retry', 'www-authenticate', 'content-type']

/** With a model, the devices are those that serve it, most room first. Rejects if the gateway can't be reached. */
export async function fetchSealInformation(access: GatewayAccess, model?: string): Promise<Fetched> {
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`
  const answer = await ask(access, 'GET', SEAL_PATH + query)
  const information = answer.status === 200 ? readSealInformation(parse(answer.body)) : undefined
  return information ? { kind: 'fetched', information } : toRejection(answer)
}

export async function storeDocuments(access: GatewayAccess, documents: Documents): Promise<'stored' | Rejection> {
  const answer = await ask(access, 'PUT', SEAL_PATH, JSON.stringify(documents))
  return answer.status === 204 ? 'stored' : toRejection(answer)
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

async function ask({ gateway, apiKey }: GatewayAccess, method: string, path: string, body?: string): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(ANSWER_MS)
  const message = await send(gateway, { method, path, headers, signal, ...(body !== undefined && { body }) })
  const passed = PASSED_ON.flatMap((name) => {
    const value = message.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  const content = await readBounded(message, MAX_ANSWER_BYTES)
  return { status: message.statusCode ?? 0, headers: Object.fromEntries(passed), body: content ?? Buffer.alloc(0) }
}

function toRejection({ status, headers, body }: Answer): Rejection {
  const fields = parse(body)
  const error = isFields(fields) && isFields(fields['error']) ? fields['error'] : {}
  return { kind: 'rejected', status, code: text(error, 'code'), message: text(error, 'message'), body, headers }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    // Not a gateway, or one that is too old: the status tells.
    return undefined
  }
}
