// Copies of models between the devices of an organization, through the gateway.

import { MAX_FILES_PER_MODEL, MAX_MODELS_PER_DEVICE, MAX_NAME_LENGTH, MAX_SOURCE_LENGTH } from '../limits.ts'
import { asObject, optional, ProtocolError, readCount, readList, readText, type Fields } from '../read-fields.ts'

/** A model that a device gives to other devices of its organization. */
export interface SharedModel {
  name: string
  /** Where it came from, as the owner or the console wrote it. */
  source?: string
  quant?: string
  /** In order; a large model is split into several. */
  files: SharedFile[]
}

export interface SharedFile {
  /** The name of the file, without a folder. */
  name: string
  bytes: number
  /** In hex. */
  sha256: string
}

/** The device sends these bytes to /device/v1/relay/pieces/<transfer>, or nothing if it can't. */
export interface PieceWanted {
  type: 'piece-wanted'
  transfer: string
  sha256: string
  offset: number
  bytes: number
}

export function readShared(fields: Fields): SharedModel[] {
  return readList(fields, 'models', MAX_MODELS_PER_DEVICE, readSharedModel)
}

export function readPieceWanted(fields: Fields): PieceWanted {
  return {
    type: 'piece-wanted',
    transfer: readText(fields, 'transfer'),
    sha256: readDigest(fields, 'sha256'),
    offset: readCount(fields, 'offset'),
    bytes: readCount(fields, 'bytes'),
  }
}

function readSharedModel(item: unknown): SharedModel {
  const fields = asObject(item, 'models')
  return {
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    ...optional(fields, 'source', (from, name) => readText(from, name, MAX_SOURCE_LENGTH)),
    ...optional(fields, 'quant', (from, name) => readText(from, name, MAX_NAME_LENGTH)),
    files: readList(fields, 'files', MAX_FILES_PER_MODEL, readSharedFile),
  }
}

function readSharedFile(item: unknown): SharedFile {
  const fields = asObject(item, 'files')
  return {
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    bytes: readCount(fields, 'bytes'),
    sha256: readDigest(fields, 'sha256'),
  }
}

function readDigest(fields: Fields, name: string): string {
  const text = readText(fields, name)
  if (!/^[0-9a-f]{64}$/.test(text)) throw new ProtocolError(`"${name}" must be 64 digits in hex`)
  return text
}
