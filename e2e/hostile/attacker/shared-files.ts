// Devices that share files and copy them from each other, in the hands of an attacker.

import type { PieceWanted, SharedModel } from '@hearth/protocol'
import { HostileLink } from './hostile-link.ts'

export interface Holder {
  origin: string
  credential: string
  models: SharedModel[]
  onPiece: (wanted: PieceWanted) => void
}

/** Resolves once the gateway knows what the device shares. */
export async function openHolder({ origin, credential, models, onPiece }: Holder): Promise<HostileLink> {
  const link = await HostileLink.open({
    origin,
    credential,
    models: [],
    onFrame: (frame) => {
      if (frame.type === 'piece-wanted') onPiece(frame)
    },
  })
  await link.send({ type: 'shared', models })
  await link.settled()
  return link
}

/** A checksum that no other number has. */
export function digestOf(number: number): string {
  return number.toString(16).padStart(64, '0')
}

export function oneFile(name: string, number: number, bytes: number): SharedModel {
  return { name, files: [{ name: 'x.gguf', bytes, sha256: digestOf(number) }] }
}

export function filePath(sha256: string): string {
  return `/device/v1/relay/files/${sha256}`
}
