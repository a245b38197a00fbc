// Reads the head of a request to create a chat completion, in the clear or sealed: the gateway gets them all day. Anything unusual about it is
// left to node:http, which also knows the errors for it: another method, path or version, a body of unknown size, a header that changes how
// the request is read, a character that has no place in a header. So this reads less than HTTP, and never more.

import { readClientIds, type ClientIds } from '@hearth/protocol'
import type { RequestKind } from '../../chat/sealing-mode.ts'

const PLAIN_LINE = 'POST /openai/v1/chat/completions HTTP/1.1\r\n'
const SEALED_LINE = 'POST /sealed/v1/chat/completions HTTP/1.1\r\n'
const HEAD_END = Buffer.from('\r\n\r\n', 'latin1')
/** Of the 16 KiB that node:http allows. */
const MAX_HEAD_BYTES = 8 * 1024
/**
 * Names of tokens and values of printable ASCII, one per line. No part of it can match in two ways, so it takes one pass. At most 100 lines
 * of the 1,000 that node:http allows: it answers those that have too many.
 */
const HEADERS = /^(?:[\w!#$%&'*+\-.^`|~]+:[\t\x20-\x7e]*\r\n){1,100}$/
const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i
const LENGTH = /^\d{1,9}$/

const READ = [
  'host',
  'authorization',
  'content-type',
  'content-length',
  'connection',
  'x-request-id',
  'traceparent',
] as const
/** Headers that change how a request is read or answered. */
const UNUSUAL = ['transfer-encoding', 'content-encoding', 'expect', 'upgrade', 'trailer', 'te'] as const
const NAMES = new Map<string, (typeof READ)[number] | 'unusual'>([
  ...READ.map((name) => [name, name] as const),
  ...UNUSUAL.map((name) => [name, 'unusual'] as const),
])
const LENGTHS = new Set([...NAMES.keys()].map(({ length }) => length))

export interface QuickRequest {
  kind: RequestKind
  authorization: string
  client: ClientIds | undefined
  /** Where the body begins and ends, in bytes from the start of the request. */
  bodyStart: number
  bodyEnd: number
}

/** Undefined if node:http has to read it. */
export function readQuickRequest(bytes: Buffer, maxBodyBytes: number): QuickRequest | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd > MAX_HEAD_BYTES) return undefined
  const head = bytes.toString('latin1', 0, headEnd + 2)
  const isSealed = head.startsWith(SEALED_LINE)
  if (!isSealed && !head.startsWith(PLAIN_LINE)) return undefined
  const headers = head.slice(isSealed ? SEALED_LINE.length : PLAIN_LINE.length)
  if (!HEADERS.test(headers)) return undefined
  return readHeaders(isSealed ? 'sealed' : 'plain', headers, headEnd + HEAD_END.length, maxBodyBytes)
}

type Found = Record<(typeof READ)[number], string | undefined>

function readHeaders(
  kind: RequestKind,
  headers: string,
  bodyStart: number,
  maxBodyBytes: number,
): QuickRequest | undefined {
  const found = findHeaders(headers)
  if (!found?.host || !found.authorization || !JSON_TYPE.test(found['content-type'] ?? '')) return undefined
  if (found.connection !== undefined && found.connection.toLowerCase() !== 'keep-alive') return undefined
  const length = found['content-length'] ?? ''
  if (!LENGTH.test(length) || Number(length) > maxBodyBytes) return undefined
  const client = readClientIds(found['x-request-id'], found.traceparent)
  return { kind, authorization: found.authorization, client, bodyStart, bodyEnd: bodyStart + Number(length) }
}

/** Undefined if one is unusual or comes twice. Only names as long as one of those that matter are looked at. */
function findHeaders(headers: string): Found | undefined {
  const found: Found = {
    host: undefined,
    authorization: undefined,
    'content-type': undefined,
    'content-length': undefined,
    connection: undefined,
    'x-request-id': undefined,
    traceparent: undefined,
  }
  let start = 0
  while (start < headers.length) {
    const colon = headers.indexOf(':', start)
    const end = headers.indexOf('\r\n', colon)
    if (LENGTHS.has(colon - start) && !take(headers.slice(start, colon), headers, colon, end, found)) return undefined
    start = end + 2
  }
  return found
}

function take(name: string, headers: string, colon: number, end: number, found: Found): boolean {
  const known = NAMES.get(name) ?? NAMES.get(name.toLowerCase())
  if (known === undefined) return true
  if (known === 'unusual' || found[known] !== undefined) return false
  found[known] = headers.slice(colon + 1, end).trim()
  return true
}
