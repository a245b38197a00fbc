// The parts of frames in which a device describes itself: its models, its back end, and why it rests.

import { readMachine } from '../device/machine.ts'
import { isFeature } from '../features.ts'
import {
  MAX_BACKEND_PROBLEMS,
  MAX_BLOCKED_REQUESTS,
  MAX_LOAD_MS,
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
  MAX_REASON_LENGTH,
  MAX_SLOTS_PER_MODEL,
} from '../limits.ts'
import {
  asCount,
  asObject,
  optional,
  readCount,
  readKey,
  readList,
  readText,
  readWord,
  type Fields,
} from '../read-fields.ts'
import type {
  BackendProblem,
  DeviceBackend,
  DeviceModel,
  Hello,
  ModelPresence,
  ModelSizing,
  Rest,
  RestReason,
} from './frames.ts'

const REST_REASONS: readonly RestReason[] = ['paused', 'hours', 'battery', 'sleep', 'other']
/** X25519 */
const SEAL_KEY_BYTES = 32
const PRESENCES: readonly ModelPresence[] = ['loaded', 'loading', 'loadable']

export function readHello(fields: Fields): Hello {
  return {
    type: 'hello',
    protocols: readList(fields, 'protocols', 64, (item, name) => asCount(item, name)),
    app: readText(fields, 'app', MAX_NAME_LENGTH),
    boot: readText(fields, 'boot', MAX_NAME_LENGTH),
    engine: readText(fields, 'engine', MAX_NAME_LENGTH),
    models: readModels(fields),
    ...optional(fields, 'machine', (from, name) => readMachine(asObject(from[name], name))),
    ...optional(fields, 'sealKey', (from, name) => readKey(from, name, SEAL_KEY_BYTES)),
  }
}

export function readRest(fields: Fields): Rest {
  const reason = readWord(fields, 'reason', REST_REASONS, 'other')
  return { reason, ...optional(fields, 'until', (from, name) => readText(from, name, MAX_NAME_LENGTH)) }
}

export function readModels(fields: Fields): DeviceModel[] {
  return readList(fields, 'models', MAX_MODELS_PER_DEVICE, readModel)
}

function readModel(item: unknown): DeviceModel {
  const fields = asObject(item, 'models')
  return {
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    contextLength: readCount(fields, 'contextLength'),
    slots: readCount(fields, 'slots', MAX_SLOTS_PER_MODEL),
    features: readList(fields, 'features', 256, (feature) => feature).filter(isFeature),
    ...optional(fields, 'digest', readName),
    ...optional(fields, 'sizing', readSizing),
    ...optional(fields, 'state', (from, name) => readWord(from, name, PRESENCES, 'loadable')),
    ...optional(fields, 'loadMs', (from, name) => readCount(from, name, MAX_LOAD_MS)),
    ...optional(fields, 'blockedRequests', (from, name) => readCount(from, name, MAX_BLOCKED_REQUESTS)),
  }
}

function readSizing(from: Fields, name: string): ModelSizing {
  const fields = asObject(from[name], name)
  return {
    trainedLength: readCount(fields, 'trainedLength'),
    cacheType: readText(fields, 'cacheType', MAX_NAME_LENGTH),
    gpuLayers: readCount(fields, 'gpuLayers'),
    layers: readCount(fields, 'layers'),
    why: readText(fields, 'why', MAX_NAME_LENGTH),
  }
}

export function readBackend(fields: Fields): DeviceBackend {
  return {
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    ...optional(fields, 'card', readName),
    ...optional(fields, 'driver', readName),
    problems: readList(fields, 'problems', MAX_BACKEND_PROBLEMS, readProblem),
  }
}

function readProblem(item: unknown): BackendProblem {
  const fields = asObject(item, 'problems')
  return {
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    why: readText(fields, 'why', MAX_REASON_LENGTH),
    remedy: readText(fields, 'remedy', MAX_REASON_LENGTH),
  }
}

function readName(fields: Fields, name: string): string {
  return readText(fields, name, MAX_NAME_LENGTH)
}
