// Passes requests on to the gateway as they are, without a body, and answers of the gateway back.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { isFields, parseFields } from '@hearth/sealing/fields'
import { clientIdsOf } from '@hearth/chat'
import type { Rejection } from '../gateway/seal-api.ts'
import { readBounded, send } from '../gateway/send.ts'
import { answerUnreachable, replyDoesNotFit } from './proxy-errors.ts'
import type { ProxyCall } from './proxy-call.ts'

const MAX_ERROR_BYTES = 64 * 1024
/** Of one connection alone, or about the body that hearth-seal writes itself; and pages of no site may read an answer. */
const NOT_PASSED =
  /^(connection|keep-alive|transfer-encoding|content-.*|cache-control|date|upgrade|trailer|te|vary|set-cookie|x-accel-buffering|access-control-.*)$/

/** Headers of an answer that a client gets from hearth-seal too. */
export function copyHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED.test(name))
  return Object.fromEntries(kept.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/** What the client calls the request, as far as the gateway would accept it: anything else stays here. */
export function idHeaders(request: IncomingMessage): Record<string, string> {
  const { requestId, traceparent } = clientIdsOf(request) ?? {}
  return {
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

/** Everything but chat completions. The gateway gets no body: whatever is in there was not sealed. */
export async function passOn(
  path: string,
  { request, response, apiKey, signal }: ProxyCall,
  gateway: URL,
): Promise<void> {
  request.resume()
  const { accept } = request.headers
  const headers: OutgoingHttpHeaders = {
    ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    ...(accept !== undefined && { accept }),
    ...idHeaders(request),
  }
  const method = request.method ?? 'GET'
  const answer = await send(gateway, { method, path, headers, signal }).catch(answerUnreachable)
  // Only questions have answers without a seal. Whatever else the gateway says could be meant to look like a reply.
  if (!isQuestion(method) && (answer.statusCode ?? 0) < 400) {
    answer.destroy()
    throw replyDoesNotFit()
  }
  const { 'content-type': type = 'application/json', 'content-length': length } = answer.headers
  response.writeHead(answer.statusCode ?? 502, {
    ...copyHeaders(answer),
    'content-type': type,
    ...(length !== undefined && { 'content-length': length }),
  })
  await pipeline(answer, response)
}

function isQuestion(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** The gateway's answer to a sealed request, if it isn't a reply. */
export async function readRejection(answer: IncomingMessage): Promise<Rejection> {
  const body = (await readBounded(answer, MAX_ERROR_BYTES)) ?? Buffer.alloc(0)
  const status = answer.statusCode ?? 0
  return { kind: 'rejected', status, body, code: undefined, message: undefined, headers: copyHeaders(answer) }
}

/** An error in the API's form reaches the client as it is. Anything else could be meant to look like a reply. */
export function passOnRejection(response: ServerResponse, { status, body, headers }: Rejection): void {
  if (status < 400 || status > 599 || !isError(body)) throw replyDoesNotFit()
  const { 'content-type': _type, ...others } = headers
  response.writeHead(status, { ...others, 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

function isError(body: Buffer): boolean {
  // Something between us and the gateway may have sent a page.
  const fields = parseFields(body.toString()) ?? {}
  return Object.keys(fields).length === 1 && isFields(fields['error'])
}
