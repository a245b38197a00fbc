// Picks the proxy for an address, if any, from the usual environment variables: for every connection that a program opens, so that none of
// them goes another way. Lowercase names take precedence. What is on this machine or on its cable is never asked through a proxy.

import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ChosenProxy {
  address: URL
  /** The variable that says so. */
  setting: string
}

/** The names and addresses of this machine. */
export interface OwnNames {
  name: string
  addresses: readonly string[]
}

export function chooseProxy(target: URL, environment: Environment, own = ownNames()): ChosenProxy | undefined {
  const setting = read(environment, isSecure(target) ? 'https_proxy' : 'http_proxy') ?? read(environment, 'all_proxy')
  if (setting === undefined) return undefined
  const host = hostOf(target)
  if (isNear(host, own) || isExempt(host, portOf(target), read(environment, 'no_proxy')?.value ?? '')) return undefined
  const { name, value } = setting
  const text = /^[a-z0-9]+:\/\//i.test(value) ? value : `http://${value}`
  const address = URL.canParse(text) ? new URL(text) : undefined
  // Others, such as SOCKS, speak another protocol.
  return address && /^https?:$/.test(address.protocol) ? { address, setting: name } : undefined
}

/** As the person has set it, without its password. */
export function describeProxy({ address, setting }: ChosenProxy): string {
  return `${setting}=${address.origin}`
}

export function ownNames(): OwnNames {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return { name: hostname().toLowerCase(), addresses: addresses.map(({ address }) => address.replace(/%.*/, '')) }
}

function read(environment: Environment, lowercase: string): { name: string; value: string } | undefined {
  for (const name of [lowercase, lowercase.toUpperCase()]) {
    const value = environment[name]
    if (value !== undefined) return value.trim() === '' ? undefined : { name, value: value.trim() }
  }
  return undefined
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:'
}

function portOf(target: URL): string {
  return target.port || (isSecure(target) ? '443' : '80')
}

function hostOf({ hostname: host }: URL): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

/** Loopback, link-local, and "any address", which is this machine too. */
const NEAR = ['127.0.0.0/8', '169.254.0.0/16', '0.0.0.0/32', '::1/128', '::/128', 'fe80::/10']

function isNear(host: string, { name, addresses }: OwnNames): boolean {
  if (isIP(host) !== 0) return isAmong(host, [...NEAR, ...addresses])
  return host === 'localhost' || host.endsWith('.localhost') || host === name || host === `${name}.local`
}

/** Entries are `*`, a host, a host with a port, a range of addresses, or a domain with all its subdomains, with or without a leading dot. */
function isExempt(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      if (isIP(host) !== 0 && entry.includes('/')) return isAmong(host, [entry])
      const { name, onlyPort } = splitPort(entry)
      const domain = name.replace(/^\*?\./, '')
      return (onlyPort === undefined || onlyPort === port) && (host === domain || host.endsWith(`.${domain}`))
    })
}

/** Also for an IPv4 address in the notation of IPv6. Ranges that are none are skipped. */
function isAmong(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIP(network)
    const most = family === 4 ? 32 : 128
    const prefix = Number(bits ?? most)
    if (family !== 0 && Number.isInteger(prefix) && prefix >= 0 && prefix <= most)
      list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** An IPv6 address contains colons, so it needs brackets to separate the port. */
function splitPort(entry: string): { name: string; onlyPort: string | undefined } {
  const [, bracketed, bracketedPort] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, onlyPort: bracketedPort }
  const [, name, onlyPort] = /^([^:]+):(\d+)$/.exec(entry) ?? []
  return { name: name ?? entry, onlyPort }
}
