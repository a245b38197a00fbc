// Reads a page that a search found. The URL is untrusted, so only public internet addresses are allowed, and time, size and content type are
// limited. It uses no proxy, because then the final destination couldn't be checked.

import type { IncomingMessage } from 'node:http'
import { follow } from '../outside/follow.ts'
import { isPublicAddress } from '../outside/public-address.ts'
import { resolveAll, type WebRules } from '../outside/web-rules.ts'

export interface Page {
  text: string
  isHtml: boolean
}

/** Replaceable in tests. */
export interface FetchPageWorld extends WebRules {
  /** For the page including redirects. */
  timeoutMs: number
}

const MAX_BYTES = 2 * 1024 * 1024
const MAX_HOPS = 4
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; Hearth)', accept: 'text/html, text/plain' }

const openWorld: FetchPageWorld = {
  resolve: resolveAll,
  isAllowed: isPublicAddress,
  plain: 'everywhere',
  isAllowedPort: (port) => port === '',
  timeoutMs: 5_000,
}

/** Undefined if the page can't or must not be read. Throws only the signal's reason. */
export async function fetchPage(url: string, signal: AbortSignal, rules = openWorld): Promise<Page | undefined> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)])
  try {
    return await readPage(await follow(new URL(url), { headers: HEADERS, signal: bounded, rules, maxHops: MAX_HOPS }))
  } catch {
    signal.throwIfAborted()
    // One source less. The web is full of pages that don't load, so nobody is told.
    return undefined
  }
}

async function readPage(response: IncomingMessage): Promise<Page | undefined> {
  const [type = '', ...parameters] = (response.headers['content-type'] ?? '').toLowerCase().split(';')
  const isHtml = ['text/html', 'application/xhtml+xml'].includes(type.trim())
  const isPlain = (response.headers['content-encoding'] ?? 'identity') === 'identity'
  if (response.statusCode !== 200 || !isPlain || (!isHtml && type.trim() !== 'text/plain')) {
    response.destroy()
    return undefined
  }
  const charset = parameters.map((each) => /charset="?([\w-]+)/.exec(each)?.[1]).find((name) => name !== undefined)
  return { isHtml, text: decode(await readStart(response), charset) }
}

/** Reads up to the size limit and ignores the rest. */
async function readStart(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes >= MAX_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, MAX_BYTES)
}

function decode(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // The page names a charset that doesn't exist.
    return new TextDecoder().decode(bytes)
  }
}
