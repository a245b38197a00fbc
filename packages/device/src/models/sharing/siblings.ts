// Other devices of the organization as a source of models, through the gateway. Asked only if the hub can't be reached: a sibling vouches
// for its own checksums, and the hub doesn't.

import { join } from 'node:path'
import { MAX_FRAME_BYTES, plainSource } from '@hearth/protocol'
import { asList, isFields, text, type Fields } from '@hearth/sealing/fields'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { readBounded } from '../../outside/read-bounded.ts'
import type { RemoteFile, RemoteModel } from '../hub/resolve.ts'

export interface Siblings {
  /** Undefined if no other device has the model, or the gateway can't be asked. */
  find(wanted: { name: string; source: string }, folder: string, signal: AbortSignal): Promise<RemoteModel | undefined>
}

export interface SiblingWorld {
  /** Undefined if this machine is not logged in. */
  login: () => { gateway: URL; credential: string } | undefined
  fetch: typeof fetch
}

const ASK_MS = 10_000

export function createSiblings({ login, fetch }: SiblingWorld): Siblings {
  return {
    async find({ name, source }, folder, signal) {
      const account = login()
      if (account === undefined) return undefined
      const headers = { authorization: `Bearer ${account.credential}` }
      const url = under(account.gateway, '/device/v1/relay/models')
      url.search = new URLSearchParams({ name, source: plainSource(source) }).toString()
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])
      try {
        const response = await fetch(url, { headers, redirect: 'error', signal: deadline })
        const fields: unknown = response.ok ? JSON.parse(await readBounded(response, MAX_FRAME_BYTES)) : undefined
        return isFields(fields) ? toRemote(fields, folder, account.gateway, headers) : undefined
      } catch {
        signal.throwIfAborted()
        // Copying from another device is only one of several ways to get a model.
        return undefined
      }
    },
  }
}

function toRemote(
  fields: Fields,
  folder: string,
  gateway: URL,
  headers: Readonly<Record<string, string>>,
): RemoteModel | undefined {
  const items = asList(fields['files']).filter(isFields)
  const files = items.flatMap((item) => toFile(item, folder, gateway, headers) ?? [])
  if (files.length === 0 || files.length !== items.length) return undefined
  const quant = text(fields, 'quant')
  return { files, ...(quant === undefined ? {} : { quant }) }
}

/** The name is another machine's word: only a plain one is taken. */
function toFile(
  { name, bytes, sha256 }: Fields,
  folder: string,
  gateway: URL,
  headers: Readonly<Record<string, string>>,
): RemoteFile | undefined {
  if (typeof name !== 'string' || !/^\w[\w.-]{0,200}\.gguf$/.test(name)) return undefined
  if (typeof bytes !== 'number' || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined
  const url = under(gateway, `/device/v1/relay/files/${sha256}`).href
  return { url, target: join(folder, name), bytes, sha256, headers: { ...headers, range: 'bytes=0-' } }
}
