// One GET request to an address that somebody else chose. Every redirect is checked like the first address, and the connection goes to
// exactly the addresses that were checked.

import { request, type Agent, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { unlessAborted } from '../clock.ts'
import { checkTransport, checkUrl, findAddresses, ForbiddenAddress, type WebRules } from './web-rules.ts'

export interface RedirectOptions {
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  rules: WebRules
  maxHops: number
  /** The owner chose these addresses, so they are asked as they are, until the first redirect to another. */
  isOwners?: (url: URL) => boolean
  /** Of the proxy, if there is one. It resolves names itself, so only its own rules can tell where a name leads in the end. */
  proxyAgent?: (url: URL, signal: AbortSignal) => Agent | undefined
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** Throws ForbiddenAddress if an address on the way is not allowed. Whoever gets the answer reads it to its end or destroys it. */
export async function follow(first: URL, options: RedirectOptions): Promise<IncomingMessage> {
  let url = first
  let { headers } = options
  let isOwners = options.isOwners?.(first) === true
  for (let hop = 0; hop < options.maxHops; hop += 1) {
    const answer = await get(url, headers, isOwners, options)
    const { location } = answer.headers
    if (!REDIRECTS.includes(answer.statusCode ?? 0) || location === undefined) return answer
    answer.destroy()
    const next = readLocation(location, url)
    // Credentials are for the server that they were meant for.
    if (next.origin !== url.origin) headers = withoutCredentials(headers)
    isOwners &&= options.isOwners?.(next) === true
    url = next
  }
  throw new Error(`${first.host} redirects too often`)
}

function readLocation(location: string, from: URL): URL {
  const url = URL.parse(location, from)
  if (url === null) throw new ForbiddenAddress(`${from.host} redirects to something that is not an address`)
  return url
}

function withoutCredentials(headers: RedirectOptions['headers']): RedirectOptions['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
}

async function get(
  url: URL,
  headers: RedirectOptions['headers'],
  isOwners: boolean,
  options: RedirectOptions,
): Promise<IncomingMessage> {
  const way = await findWay(url, isOwners, options)
  const { signal } = options
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // A compressed answer could unfold into anything.
  const asked = { ...way, signal, headers: { ...headers, 'accept-encoding': 'identity' } }
  const asking = url.protocol === 'https:' ? secureRequest(url, asked) : request(url, asked)
  asking.once('response', resolve)
  asking.on('error', reject)
  // A server that switches to another protocol ends the request without either of them.
  asking.once('close', () => reject(new Error('the connection was closed without an answer')))
  asking.end()
  return promise
}

async function findWay(
  url: URL,
  isOwners: boolean,
  { rules, proxyAgent, signal }: RedirectOptions,
): Promise<RequestOptions> {
  if (!isOwners) checkUrl(url)
  // The proxy resolves the name itself; a machine behind one may not even be able to.
  const agent = proxyAgent?.(url, signal)
  if (agent !== undefined) {
    if (!isOwners) await checkAddress(url, rules, signal)
    return { agent }
  }
  if (isOwners) return { agent: false }
  // A look-up can't be canceled, but nobody has to wait for it.
  return { agent: false, lookup: pinned(await unlessAborted(findAddresses(url, rules), signal)) }
}

/** Throws ForbiddenAddress if the URL is not allowed, as far as this machine can tell: a name that it can't resolve may still exist. */
export async function checkAddress(url: URL, rules: WebRules, signal: AbortSignal): Promise<void> {
  checkUrl(url)
  try {
    await unlessAborted(findAddresses(url, rules), signal)
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw error
    signal.throwIfAborted()
    checkTransport(url, [], rules)
  }
}

function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = found
  return (_, options, done) => {
    if (options.all === true) done(null, found)
    else done(null, first.address, first.family)
  }
}
