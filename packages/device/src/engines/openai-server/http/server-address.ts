// Parses the address of a local server as a person types it: with or without a scheme, and with or without /v1.

import { CommandError } from '@hearth/command-line/errors'

export interface ServerAddress {
  /** Without a trailing slash; paths such as `/v1/models` and `/props` are appended. */
  root: string
  /** Sent as a bearer token. */
  key?: string
}

export function readServerAddress(text: string, key?: string): ServerAddress {
  const url = parse(text.includes('://') ? text : `http://${text}`)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new CommandError('use an address like http://127.0.0.1:11434')
  if (url.username !== '' || url.password !== '')
    throw new CommandError('leave out the user name and password; for an API key, set HEARTH_DEVICE_UPSTREAM_KEY')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const root = `${url.origin}${path}`
  return key === undefined || key === '' ? { root } : { root, key }
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
