// Parses the gateway address a person types, and builds the other addresses from it. A credential is sent unencrypted only if the owner
// allowed it, or if it never leaves the machine.

import { CommandError } from '../errors.ts'

export function readGatewayAddress(text: string, options: { allowInsecure: boolean }): URL {
  const url = parse(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new CommandError(
      `"${text}" is not a valid gateway address: it must start with https:// or http://`,
      'for example: https://hearth.example.com',
    )
  if (url.protocol === 'http:' && !options.allowInsecure && !isLoopback(url.hostname))
    throw new CommandError(
      `The connection to ${url.origin} would not be encrypted`,
      'use its https:// address, or add --allow-insecure if you trust the network',
    )
  return url
}

function parse(text: string): URL {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address))
    throw new CommandError(`"${text}" is not a valid address`, 'for example: https://hearth.example.com')
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
