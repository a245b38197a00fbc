// Names the network that a client address belongs to, so that everything one client can easily send from counts as one. An address has many
// notations (2001:db8::1, 2001:DB8:0:0::1, ::ffff:192.0.2.1), and all of them have to give the same name.

import { isIPv4, isIPv6 } from 'node:net'

/** Longer text cannot be an address; the largest one with a zone is far shorter. */
const MAX_LENGTH = 64

export function networkOf(address: string): string {
  const bare = withoutPort(address.trim().toLowerCase()).slice(0, MAX_LENGTH)
  if (!isIPv6(bare)) return bare
  const groups = readGroups(bare)
  if (isMappedIPv4(groups)) return showIPv4(groups)
  // One IPv6 customer usually has a whole /64 network, so the first half of the address identifies them.
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

export function isLoopback(address: string): boolean {
  const bare = withoutPort(address.trim().toLowerCase())
  if (!isIPv6(bare)) return bare.startsWith('127.')
  const groups = readGroups(bare)
  return isMappedIPv4(groups)
    ? groups[6]! >> 8 === 127
    : groups.every((group, index) => group === (index === 7 ? 1 : 0))
}

/** Some proxies add the port: 192.0.2.1:1234, [2001:db8::1]:1234. */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address)
  if (bracketed) return bracketed[1]!
  const [host] = address.split(':', 1)
  return isIPv4(host!) ? host! : address
}

/** The eight groups of a valid IPv6 address. */
function readGroups(address: string): number[] {
  const [head, tail] = address.split('%', 1)[0]!.split('::', 2)
  const before = readPart(head!)
  if (tail === undefined) return before
  const after = readPart(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function readPart(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => (group.includes('.') ? readIPv4(group) : [Number.parseInt(group, 16)]))
}

function readIPv4(text: string): number[] {
  const [a, b, c, d] = text.split('.').map(Number)
  return [a! * 256 + b!, c! * 256 + d!]
}

function isMappedIPv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
}

function showIPv4(groups: readonly number[]): string {
  return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
}
