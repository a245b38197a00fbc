// The address a person types for a gateway, and the addresses made from it. A credential crosses the network in clear text only where the
// owner said so, or where it never leaves the machine.

import { DeviceError } from '../errors.ts'

export function readGatewayAddress(text: string, options: { allowInsecure: boolean }): URL {
  const url = parse(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new DeviceError(`Cannot use "${text}" as a gateway: it does not begin with https://`)
  if (url.protocol === 'http:' && !options.allowInsecure && !isLoopback(url.hostname))
    throw new DeviceError(
      `Cannot use ${url.origin} as a gateway: the connection would not be encrypted`,
      'use the https:// address, or add --allow-insecure on a network you trust',
    )
  return url
}

function parse(text: string): URL {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address))
    throw new DeviceError(`Cannot read "${text}" as an address`, 'an example: https://hearth.example.com')
  const url = new URL(address)
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  )
}

export function under(gateway: URL, path: string): URL {
  return new URL(gateway.pathname.replace(/\/+$/, '') + path, gateway)
}

export function linkAddress(gateway: URL): URL {
  const url = under(gateway, '/device/v1/link')
  url.protocol = gateway.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
