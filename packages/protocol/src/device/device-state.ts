// The parts of frames in which a device describes itself: its models, its back end, and why it rests.

import { isFeature, type Feature } from '../features.ts'
import {
  MAX_BACKEND_PROBLEMS,
  MAX_BLOCKED_REQUESTS,
  MAX_LOAD_MS,
  MAX_MODELS_PER_DEVICE,
  MAX_MORE_SLOTS,
  MAX_NAME_LENGTH,
  MAX_REASON_LENGTH,
  MAX_SLOTS_PER_MODEL,
} from '../limits.ts'
import { asCount } from '../read-fields.ts'
import { count, key, list, maybe, object, oneOf, text, type ValueOf } from '../shapes.ts'
import { readMachine } from './machine.ts'

const name = text(MAX_NAME_LENGTH)
const readNames = list(256, (feature) => feature)

/**
 * Whether the model is in memory. A device takes jobs for all three: one that has to load the model
 * first accepts the job at once, like any other, and reports the phase `loading` until the model is
 * there. Until it is, slots, features and context length are those of the last time it was loaded,
 * or a guess.
 */
const presence = oneOf(['loaded', 'loading', 'loadable'], 'loadable')

export type ModelPresence = ValueOf<typeof presence>

const sizing = object({
  /** The context length that the model was trained for. */
  trainedLength: asCount,
  /** The type of the cache that holds the tokens: f16, or q8_0 to save memory. */
  cacheType: name,
  /** The layers on the GPU, of `layers` altogether. */
  gpuLayers: asCount,
  layers: asCount,
  /** Why it is not more, for people. */
  why: name,
})

export type ModelSizing = ValueOf<typeof sizing>

const model = object({
  name,
  /** In tokens, prompt and completion together. */
  contextLength: asCount,
  /** How many jobs the device runs on this model at once. */
  slots: count(MAX_SLOTS_PER_MODEL),
  /** In frames only: how many more, if `slots` can't say it. */
  moreSlots: maybe(count(MAX_MORE_SLOTS)),
  features: (value, field): Feature[] => readNames(value, field).filter(isFeature),
  /** Hash of the weights, if the device knows it. */
  digest: maybe(name),
  /** The size it got on this device, and why. */
  sizing: maybe(sizing),
  /** Absent means loaded, which is what devices that load everything at once always have. */
  state: maybe(presence),
  /** How long the device expects loading to take, from start to ready. */
  loadMs: maybe(count(MAX_LOAD_MS)),
  /**
   * Requests that it rejects for a while, because its engine crashed on each of them several times.
   * Absent means none.
   */
  blockedRequests: maybe(count(MAX_BLOCKED_REQUESTS)),
})

export type DeviceModel = ValueOf<typeof model>

export const models = list(MAX_MODELS_PER_DEVICE, model)

export const HELLO = {
  protocols: list(64, asCount),
  app: name,
  /** Changes with each start of the device app. */
  boot: name,
  engine: name,
  models,
  machine: maybe(readMachine),
  /** The public key that clients seal requests for this device with, in base64url. It is an X25519 key. */
  sealKey: maybe(key(32)),
} as const

const problem = object({
  name,
  why: text(MAX_REASON_LENGTH),
  /** Advice for the owner. */
  remedy: text(MAX_REASON_LENGTH),
})

export type BackendProblem = ValueOf<typeof problem>

/** Where a device's models compute. */
export const backend = object({
  /** 'cuda-built', 'cuda', 'cuda12', 'vulkan', 'metal', 'cpu', or a name that came later. */
  name,
  /** The graphics card. */
  card: maybe(name),
  driver: maybe(name),
  /** Better back ends that don't work on this machine, in sentences for its owner. */
  problems: list(MAX_BACKEND_PROBLEMS, problem),
})

export type DeviceBackend = ValueOf<typeof backend>

/**
 * Its owner paused it, it is outside the hours that its owner set, it runs on battery, it goes to
 * sleep, or something newer.
 */
const restReason = oneOf(['paused', 'hours', 'battery', 'sleep', 'other'], 'other')

export type RestReason = ValueOf<typeof restReason>

/** Why a device takes no jobs for now. */
export const rest = object({
  reason: restReason,
  /** The time of day on the device when it serves again, if its owner set one. */
  until: maybe(name),
})

export type Rest = ValueOf<typeof rest>
