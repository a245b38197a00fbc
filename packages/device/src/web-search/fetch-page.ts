// Reads a page that a search found. The URL is untrusted, so only public internet addresses are allowed: a name is resolved once and the
// connection goes to exactly that address; every redirect is checked like the first URL; time, size and content type are limited. It uses no
// proxy, because then the final destination couldn't be checked.

import { lookup } from 'node:dns/promises'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface Page {
  text: string
  isHtml: boolean
}

/** Replaceable in tests. */
export interface FetchWorld {
  resolve: (host: string) => Promise<string[]>
  isAllowed: (address: string) => boolean
  /** An empty string means the scheme's default port. */
  isAllowedPort: (port: string) => boolean
  /** For the page including redirects. */
  timeoutMs: number
}

const MAX_BYTES = 2 * 1024 * 1024
const MAX_HOPS = 4
const REDIRECTS = [301, 302, 303, 307, 308]

const openWorld: FetchWorld = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  isAllowedPort: (port) => port === '',
  timeoutMs: 5_000,
}

/** Undefined if the page can't or must not be read. Throws only the signal's reason. */
export async function fetchPage(url: string, signal: AbortSignal, world = openWorld): Promise<Page | undefined> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(world.timeoutMs)])
  try {
    return await follow(url, bounded, world)
  } catch {
    signal.throwIfAborted()
    // One source less. The web is full of pages that don't load, so nobody is told.
    return undefined
  }
}

async function follow(first: string, signal: AbortSignal, world: FetchWorld): Promise<Page | undefined> {
  let url = new URL(first)
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const address = await allowedAddress(url, world)
    if (address === undefined) return undefined
    const response = await get(url, address, signal)
    const location = response.headers.location
    if (!REDIRECTS.includes(response.statusCode ?? 0) || location === undefined) return readPage(response)
    response.destroy()
    url = new URL(location, url)
  }
  return undefined
}

/** Rejects a name if any of its addresses is private. */
async function allowedAddress(url: URL, world: FetchWorld): Promise<string | undefined> {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return undefined
  if (!world.isAllowedPort(url.port)) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await world.resolve(host) : [host]
  return addresses.every((address) => world.isAllowed(address)) ? addresses[0] : undefined
}

function get(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options: RequestOptions = {
    agent: false,
    signal,
    lookup: pinned(address),
    headers: {
      'user-agent': 'Mozilla/5.0 (compatible; Hearth)',
      accept: 'text/html, text/plain',
      'accept-encoding': 'identity',
    },
  }
  const asking = url.protocol === 'https:' ? secureRequest(url, options) : request(url, options)
  asking.once('response', resolve)
  asking.on('error', reject)
  asking.end()
  return promise
}

function pinned(address: string): LookupFunction {
  const family = isIP(address)
  return (_, options, done) => {
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
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
