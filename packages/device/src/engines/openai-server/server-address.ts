// Where a local server is, as a person writes it: with or without a scheme, with or without the /v1 that some documents show.

import { DeviceError } from '../../errors.ts'

export interface ServerAddress {
  /** Without a slash at the end; paths such as `/v1/models` and `/props` are appended to it. */
  root: string
  /** Sent as a bearer token. */
  key?: string
}

export function readServerAddress(text: string, key?: string): ServerAddress {
  const url = parse(text.includes('://') ? text : `http://${text}`)
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new DeviceError(`Cannot read "${text}" as the address of a server`, 'Write it like http://127.0.0.1:11434')
  if (url.username !== '' || url.password !== '')
    throw new DeviceError('The address of a server holds no user or password', 'Give the key in its own setting')
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  const root = `${url.origin}${path}`
  return key === undefined || key === '' ? { root } : { root, key }
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
