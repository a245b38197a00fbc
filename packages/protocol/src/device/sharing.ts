// Copies of models between the devices of an organization, through the gateway.

import { MAX_FILES_PER_MODEL, MAX_NAME_LENGTH, MAX_SOURCE_LENGTH } from '../limits.ts'
import { asCount, asText, ProtocolError } from '../read-fields.ts'
import { list, maybe, object, text, type ValueOf, type Variants } from '../shapes.ts'

const sharedFile = object({
  /** The name of the file, without a folder. */
  name: text(MAX_NAME_LENGTH),
  bytes: asCount,
  /** In hex. */
  sha256: asDigest,
})

export type SharedFile = ValueOf<typeof sharedFile>

/** A model that a device gives to other devices of its organization. */
export const sharedModel = object({
  name: text(MAX_NAME_LENGTH),
  /** Where it came from, as the owner or the console wrote it. */
  source: maybe(text(MAX_SOURCE_LENGTH)),
  quant: maybe(text(MAX_NAME_LENGTH)),
  /** In order; a large model is split into several. */
  files: list(MAX_FILES_PER_MODEL, sharedFile),
})

export type SharedModel = ValueOf<typeof sharedModel>

export const COPY_FRAMES = {
  /** The device sends these bytes to /device/v1/relay/pieces/<transfer>, or nothing if it can't. */
  'piece-wanted': { transfer: asText, sha256: asDigest, offset: asCount, bytes: asCount },
} as const

export type PieceWanted = Variants<'type', typeof COPY_FRAMES>

function asDigest(value: unknown, name: string): string {
  const digest = asText(value, name)
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new ProtocolError(`"${name}" must be 64 digits in hex`)
  return digest
}
