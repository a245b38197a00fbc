// Which addresses may be asked when somebody else chose them: a person in the console, a redirect, a search result.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { CommandError } from '@hearth/command-line/errors'
import { isPublicAddress } from './public-address.ts'

export interface WebRules {
  resolve: (host: string) => Promise<string[]>
  isAllowed: (address: string) => boolean
  /** Where a connection may be unencrypted: only inside the owner's network, nowhere, or everywhere. */
  plain: 'never' | 'inside' | 'everywhere'
  /** An empty string means the scheme's default port. */
  isAllowedPort: (port: string) => boolean
}

/** Nothing is asked at this address, whatever may be there. */
export class ForbiddenAddress extends CommandError {
  override name = 'ForbiddenAddress'
}

export const PUBLIC_DOWNLOADS: WebRules = {
  resolve: resolveAll,
  isAllowed: isPublicAddress,
  plain: 'never',
  isAllowedPort: (port) => port === '',
}

/** If the owner allows their own machine and network. */
export const LOCAL_DOWNLOADS: WebRules = {
  resolve: resolveAll,
  isAllowed: () => true,
  plain: 'inside',
  isAllowedPort: () => true,
}

const ALLOW = 'The owner can allow it with --allow-local-downloads.'

export async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Throws ForbiddenAddress for a URL that no rules allow. */
export function checkUrl(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw onlyEncrypted(url)
  if (url.username !== '' || url.password !== '')
    throw new ForbiddenAddress(`Can't download from ${url.host}: the address contains a user name or a password`)
}

/**
 * All addresses of the host: connect to these, because a second look-up could give others. Throws ForbiddenAddress if any of them is not
 * allowed, and the resolver's error if the name can't be resolved.
 */
export async function findAddresses(url: URL, rules: WebRules): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await rules.resolve(host) : [host]
  if (addresses.length === 0) throw new Error(`${host} has no address`)
  if (!addresses.every((address) => rules.isAllowed(address)))
    throw new ForbiddenAddress(`Can't download from ${url.host}: this address is in the owner's private network`, ALLOW)
  checkTransport(url, addresses, rules)
  return addresses
}

/** Throws ForbiddenAddress if the host may not be asked in this way. Without addresses, nobody knows where it is. */
export function checkTransport(url: URL, addresses: readonly string[], { plain, isAllowedPort }: WebRules): void {
  const isInside = addresses.length > 0 && !addresses.some(isPublicAddress)
  const mayBePlain = plain === 'everywhere' || (plain === 'inside' && isInside)
  if (url.protocol === 'http:' && !mayBePlain) throw onlyEncrypted(url)
  if (!isAllowedPort(url.port))
    throw new ForbiddenAddress(`Can't download from ${url.host}: only the standard port is allowed`, ALLOW)
}

function onlyEncrypted(url: URL): ForbiddenAddress {
  return new ForbiddenAddress(`Can't download from ${originOf(url)}: only https:// addresses are allowed`)
}

function originOf(url: URL): string {
  return url.origin === 'null' ? `a ${url.protocol} address` : url.origin
}
