// The list of models this machine serves, with their settings. It is one small file that the running app watches.

import { DeviceError, describeError } from '../../errors.ts'
import { count, isFields, readObjectFile, text, type Fields } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { parseKeepAlive } from './keep-alive.ts'
import type { Piece } from './pieces.ts'

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
  pieces?: Piece[]
  /** The quantization, as its publisher calls it. */
  quant?: string
  contextLength?: number
  slots?: number
  gpuLayers?: number
  /** How long it stays in memory when idle: `30m`, `always`, `never`. The setting counts unless given. */
  keepAlive?: string
  /** The model that guesses for it: a name, `auto` or `off`. The setting counts unless given. */
  draft?: string
}

const ADVICE = 'delete the file and add your models again'

export function loadRegistry(path: string): ModelEntry[] {
  const fields = readObjectFile(path, ADVICE)
  if (fields === undefined) return []
  const models = fields['models']
  if (!Array.isArray(models)) throw new DeviceError(`Can't read ${path}: "models" is not a list`, ADVICE)
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
  const fields: Fields = isFields(item) ? item : {}
  const name = text(fields, 'name')
  const file = text(fields, 'path')
  if (name === undefined || file === undefined)
    throw new DeviceError(`Can't read ${path}: a model has no name or no path`, ADVICE)
  const sha256 = text(fields, 'sha256')
  const modifiedMs = count(fields, 'modifiedMs')
  const quant = text(fields, 'quant')
  const draft = text(fields, 'draft')
  const pieces = readPieces(fields['pieces'])
  return {
    name,
    path: file,
    source: text(fields, 'source') ?? file,
    bytes: count(fields, 'bytes') ?? 0,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(modifiedMs === undefined ? {} : { modifiedMs }),
    ...(pieces.length === 0 ? {} : { pieces }),
    ...(quant === undefined ? {} : { quant }),
    ...(draft === undefined ? {} : { draft }),
    ...keepAlive(fields, path),
    ...numbers(fields),
  }
}

function readPieces(value: unknown): Piece[] {
  if (!Array.isArray(value)) return []
  return value.filter(isFields).flatMap((fields) => {
    const [bytes, sha256] = [count(fields, 'bytes'), text(fields, 'sha256')]
    return bytes === undefined || sha256 === undefined ? [] : [{ bytes, sha256 }]
  })
}

function numbers(fields: Fields): Pick<ModelEntry, 'contextLength' | 'slots' | 'gpuLayers'> {
  const contextLength = count(fields, 'contextLength')
  const slots = count(fields, 'slots')
  const gpuLayers = count(fields, 'gpuLayers')
  return {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(slots === undefined ? {} : { slots }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
  }
}

function keepAlive(fields: Fields, path: string): Pick<ModelEntry, 'keepAlive'> {
  const value = text(fields, 'keepAlive')
  if (value === undefined) return {}
  try {
    parseKeepAlive(value)
    return { keepAlive: value }
  } catch (error) {
    throw new DeviceError(`Can't read ${path}: the keep-alive "${value}" is invalid`, describeError(error))
  }
}
