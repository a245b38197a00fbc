// The list of models this machine serves, with their settings. It is one small file that the running app watches.

import { present } from '@hearth/command-line/present'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { asFields, count, isFields, text, type Fields } from '@hearth/sealing/fields'
import { readObjectFile } from '@hearth/command-line/files/read-object-file'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { parseKeepAlive } from './keep-alive.ts'

/** A file of a model: a large one may be split into several. */
export interface ModelFile {
  bytes: number
  sha256: string
}

export interface ModelEntry {
  /** The name it is served under. */
  name: string
  path: string
  /** As the owner typed it. */
  source: string
  /** All files together. */
  bytes: number
  /** Of the file, or of the first one of a split model. */
  sha256?: string
  /** When the file was last changed, as the system tells it, when its checksum was taken. */
  modifiedMs?: number
  /** Of a split model: its files in order. */
  pieces?: ModelFile[]
  /** The quantization, as its publisher calls it. */
  quant?: string
  contextLength?: number
  slots?: number
  gpuLayers?: number
  /** How long it stays in memory when idle: `30m`, `always`, `never`. The setting counts unless given. */
  keepAlive?: string
}

const ADVICE = 'delete the file and add your models again'

export function loadRegistry(path: string): ModelEntry[] {
  const fields = readObjectFile(path, ADVICE)
  if (fields === undefined) return []
  const models = fields['models']
  if (!Array.isArray(models)) throw new CommandError(`Can't read ${path}: "models" is not a list`, ADVICE)
  return models.map((item) => readEntry(item, path))
}

export function saveRegistry(path: string, models: readonly ModelEntry[]): void {
  writeJson(path, { models })
}

/** Replaces a model with the same name. */
export function withModel(models: readonly ModelEntry[], entry: ModelEntry): ModelEntry[] {
  return [...models.filter(({ name }) => name !== entry.name), entry]
}

function readEntry(item: unknown, path: string): ModelEntry {
  const fields = asFields(item)
  const name = text(fields, 'name')
  const file = text(fields, 'path')
  if (name === undefined || file === undefined)
    throw new CommandError(`Can't read ${path}: a model has no name or no path`, ADVICE)
  return present({
    name,
    path: file,
    source: text(fields, 'source') ?? file,
    bytes: count(fields, 'bytes') ?? 0,
    sha256: text(fields, 'sha256'),
    quant: text(fields, 'quant'),
    pieces: readPieces(fields['pieces']),
    keepAlive: readKeepAlive(fields, path),
    modifiedMs: count(fields, 'modifiedMs'),
    contextLength: count(fields, 'contextLength'),
    slots: count(fields, 'slots'),
    gpuLayers: count(fields, 'gpuLayers'),
  })
}

function readPieces(value: unknown): ModelFile[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter(isFields).flatMap((fields) => {
    const [bytes, sha256] = [count(fields, 'bytes'), text(fields, 'sha256')]
    return bytes === undefined || sha256 === undefined ? [] : [{ bytes, sha256 }]
  })
}

function readKeepAlive(fields: Fields, path: string): string | undefined {
  const value = text(fields, 'keepAlive')
  if (value === undefined) return undefined
  try {
    parseKeepAlive(value)
    return value
  } catch (error) {
    throw new CommandError(`Can't read ${path}: the keep-alive "${value}" is invalid`, describeError(error))
  }
}
