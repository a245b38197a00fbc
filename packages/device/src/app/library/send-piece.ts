// Sends a piece of a model to the gateway, for another device of the organization.

import { MAX_PIECE_BYTES, type PieceWanted } from '@hearth/protocol'
import { under } from '@hearth/command-line/gateway/gateway-address'
import type { ModelEntry } from '../../models/registry/registry.ts'
import { readSharedPiece } from '../../models/sharing/share.ts'

export interface PieceSender {
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
