// Names the network that a client address belongs to, so that everything one client can easily send from counts as one. An address has many
// notations (2001:db8::1, 2001:DB8:0:0::1, ::ffff:192.0.2.1), and all of them have to give the same name.

import { isIPv4, isIPv6 } from 'node:net'

/** Longer text cannot be an address; the largest one with a zone is far shorter. */
const MAX_LENGTH = 64

export function networkOf(address: string): string {
  const bare = withoutPort(address.trim().toLowerCase()).slice(0, MAX_LENGTH)
  if (!isIPv6(bare)) return bare
  const groups = readGroups(bare)
  const mapped = mappedIPv4(groups)
  if (mapped) return mapped.join('.')
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
  const mapped = mappedIPv4(groups)
  return mapped ? mapped[0] === 127 : groups.every((group, index) => group === (index === 7 ? 1 : 0))
}

/** Some proxies add the port: 192.0.2.1:1234, [2001:db8::1]:1234. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(address) ?? []
  if (bracketed !== undefined) return bracketed
  const [host = address] = address.split(':', 1)
  return isIPv4(host) ? host : address
}

/** The eight groups of a valid IPv6 address. */
function readGroups(address: string): number[] {
  const [withoutZone = address] = address.split('%', 1)
  const [head = withoutZone, tail] = withoutZone.split('::', 2)
  const before = readPart(head)
  if (tail === undefined) return before
  const after = readPart(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function readPart(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => (group.includes('.') ? readIPv4(group) : [Number.parseInt(group, 16)]))
}

function readIPv4(text: string): number[] {
  const bytes = new DataView(Uint8Array.from(text.split('.'), Number).buffer)
  return [bytes.getUint16(0), bytes.getUint16(2)]
}

/** The four numbers of an IPv4 address that is written as an IPv6 one. */
function mappedIPv4(groups: readonly number[]): number[] | undefined {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? groups.slice(6).flatMap((group) => [group >> 8, group & 255]) : undefined
}
