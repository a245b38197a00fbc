// Frames about the models that a device keeps.

import {
  DOWNLOAD_STATES,
  type Download,
  type FoundModel,
  type KeptModel,
  type Library,
  type ModelProblem,
  type ModelProblemCode,
  type ModelReply,
  type ModelRequestFrame,
} from './library.ts'
import { MAX_MODELS_PER_DEVICE, MAX_NAME_LENGTH, MAX_REASON_LENGTH, MAX_SOURCE_LENGTH } from '../limits.ts'
import {
  asObject,
  optional,
  readCount,
  readFlag,
  readList,
  readObject,
  readText,
  readWord,
  type Fields,
} from '../read-fields.ts'

const PROBLEM_CODES: readonly ModelProblemCode[] = [
  'not-allowed',
  'not-found',
  'needs-license',
  'no-room',
  'unreachable',
  'failed',
]

export function readLibrary(fields: Fields): Library {
  return {
    isOpen: readFlag(fields, 'isOpen'),
    ...optional(fields, 'why', readReason),
    ...optional(fields, 'takesTemplates', readFlag),
    diskFreeBytes: readCount(fields, 'diskFreeBytes'),
    memoryBytes: readCount(fields, 'memoryBytes'),
    models: readList(fields, 'models', MAX_MODELS_PER_DEVICE, readKept),
  }
}

function readKept(item: unknown): KeptModel {
  const fields = asObject(item, 'models')
  return {
    name: readName(fields, 'name'),
    bytes: readCount(fields, 'bytes'),
    ...optional(fields, 'source', readSource),
    ...optional(fields, 'isDeletable', readFlag),
  }
}

export function readDownload(item: unknown): Download {
  const fields = asObject(item, 'downloads')
  return {
    model: readName(fields, 'model'),
    doneBytes: readCount(fields, 'doneBytes'),
    ...optional(fields, 'totalBytes', readCount),
    ...optional(fields, 'state', (from, name) => readWord(from, name, DOWNLOAD_STATES, 'downloading')),
    ...optional(fields, 'bytesPerSecond', readCount),
    ...optional(fields, 'source', readSource),
    ...optional(fields, 'by', readName),
    ...optional(fields, 'problem', readReason),
  }
}

export function readModelReply(fields: Fields): ModelReply {
  return {
    type: 'model-reply',
    request: readName(fields, 'request'),
    ...optional(fields, 'problem', (from, name) => readProblem(readObject(from, name))),
    ...optional(fields, 'found', (from, name) => readFound(readObject(from, name))),
    ...optional(fields, 'freedBytes', readCount),
  }
}

function readProblem(fields: Fields): ModelProblem {
  return {
    code: readWord(fields, 'code', PROBLEM_CODES, 'failed'),
    message: readReason(fields, 'message'),
    ...optional(fields, 'remedy', readReason),
  }
}

function readFound(fields: Fields): FoundModel {
  return {
    name: readName(fields, 'name'),
    source: readSource(fields, 'source'),
    bytes: readCount(fields, 'bytes'),
    memoryBytes: readCount(fields, 'memoryBytes'),
    ...optional(fields, 'license', readName),
  }
}

export function readModelRequest(type: ModelRequestFrame['type'], fields: Fields): ModelRequestFrame {
  const request = { request: readText(fields, 'request'), by: readText(fields, 'by') }
  if (type === 'model-look-up' || type === 'model-fetch')
    return { type, ...request, source: readText(fields, 'source') }
  return { type, ...request, model: readText(fields, 'model') }
}

function readName(fields: Fields, name: string): string {
  return readText(fields, name, MAX_NAME_LENGTH)
}

function readSource(fields: Fields, name: string): string {
  return readText(fields, name, MAX_SOURCE_LENGTH)
}

function readReason(fields: Fields, name: string): string {
  return readText(fields, name, MAX_REASON_LENGTH)
}
