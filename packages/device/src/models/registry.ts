// The list of models this machine serves, with their settings. It is one small file that the running app watches.

import { DeviceError } from '../errors.ts'
import { count, isFields, readObjectFile, text, type Fields } from '../state/fields.ts'
import { writeJson } from '../state/write-atomic.ts'

export interface ModelEntry {
  /** The name it is served under. */
  name: string
  path: string
  /** As the owner typed it. */
  source: string
  bytes: number
  sha256?: string
  contextLength?: number
  slots?: number
  gpuLayers?: number
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
  return {
    name,
    path: file,
    source: text(fields, 'source') ?? file,
    bytes: count(fields, 'bytes') ?? 0,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...numbers(fields),
  }
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
