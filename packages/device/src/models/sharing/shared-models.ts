// Gives models that this device downloaded to other devices of its organization, through the gateway. The owner's own files stay on the machine.

import { open } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import { MAX_PIECE_BYTES, plainSource, type PieceWanted, type SharedModel } from '@hearth/protocol'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { allParts } from '../hub/file-groups.ts'
import type { ModelEntry } from '../registry/registry.ts'

interface PieceSender {
  login: { gateway: URL; credential: string }
  entries: readonly ModelEntry[]
  folder: string
  fetch: typeof fetch
}

const SEND_MS = 60_000

/** A piece that doesn't arrive is asked for again, so nothing is retried or reported here. */
export async function sendPiece(
  piece: PieceWanted,
  { login, entries, folder, fetch }: PieceSender,
  signal: AbortSignal,
): Promise<void> {
  const body = piece.bytes > MAX_PIECE_BYTES ? Buffer.alloc(0) : await readSharedPiece(piece, entries, folder)
  await fetch(under(login.gateway, `/device/v1/relay/pieces/${encodeURIComponent(piece.transfer)}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${login.credential}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
    // A redirect must not carry the credential to another server.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]),
  }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  )
}

interface SharedPath {
  path: string
  bytes: number
  sha256: string
}

export function sharedModels(entries: readonly ModelEntry[], folder: string): SharedModel[] {
  return entries.flatMap((entry) => {
    const files = sharedPaths(entry, folder)
    if (files.length === 0) return []
    const { name, source, quant } = entry
    const shared = files.map(({ path, bytes, sha256 }) => ({ name: basename(path), bytes, sha256 }))
    return [{ name, source: plainSource(source), ...(quant === undefined ? {} : { quant }), files: shared }]
  })
}

/** Empty if this device doesn't share such bytes. */
export async function readSharedPiece(
  { sha256, offset, bytes }: PieceWanted,
  entries: readonly ModelEntry[],
  folder: string,
): Promise<Buffer> {
  const file = entries.flatMap((entry) => sharedPaths(entry, folder)).find((shared) => shared.sha256 === sha256)
  if (file === undefined) return Buffer.alloc(0)
  try {
    await using handle = await open(file.path, 'r')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset)
    return buffer.subarray(0, bytesRead)
  } catch {
    // The file is gone. The other device asks somebody else.
    return Buffer.alloc(0)
  }
}

function sharedPaths({ path, bytes, sha256, pieces }: ModelEntry, folder: string): SharedPath[] {
  if (relative(folder, path).startsWith('..')) return []
  const known = pieces ?? (sha256 === undefined ? [] : [{ bytes, sha256 }])
  const paths = allParts(path)
  if (known.length !== paths.length) return []
  return paths.flatMap((place, index) => known.slice(index, index + 1).map((piece) => ({ path: place, ...piece })))
}
