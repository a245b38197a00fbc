// The models that a device keeps on its disk, and the requests of people in the console to change them.

import {
  MAX_FOUND,
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
  MAX_REASON_LENGTH,
  MAX_SERVERS,
  MAX_SOURCE_LENGTH,
} from '../limits.ts'
import { asCount, asFlag, asText } from '../read-fields.ts'
import { list, maybe, object, oneOf, text, type Shaped, type ValueOf, type Variants } from '../shapes.ts'

const name = text(MAX_NAME_LENGTH)
const source = text(MAX_SOURCE_LENGTH)
const reason = text(MAX_REASON_LENGTH)

const keptModel = object({
  name,
  bytes: asCount,
  /** Where it came from, as the owner or the console wrote it. */
  source: maybe(source),
  /** True if removing it deletes its file and so frees space. */
  isDeletable: maybe(asFlag),
})

export type KeptModel = ValueOf<typeof keptModel>

/** A local server that runs on the device's machine, such as Ollama. */
const foundServer = object({
  /** Its address there, to ask for it by. */
  url: source,
  /** As people call it. */
  name,
  /** How many models it lists. */
  models: asCount,
  /** True if the owner, or an administrator whom the owner allows that, wants its models served. */
  isServed: asFlag,
})

/** A model file that another program keeps on the device's machine. */
const foundFile = object({
  /** As that program calls it. */
  name,
  /** The reference to have it served from where it is, without a download. */
  source,
  bytes: asCount,
  quant: maybe(name),
  /** The program, such as Ollama. */
  keptBy: name,
})

/**
 * The models that a device keeps, and its room for more. Only devices that send it get requests
 * about models.
 */
export const library = object({
  /** True if people may add and remove models from the console. */
  isOpen: asFlag,
  /** Why not, and what to do about it, for people. */
  why: maybe(reason),
  /**
   * False if the owner doesn't allow chat templates from the console: jobs run with the model's
   * own. Absent on older devices, which use them.
   */
  takesTemplates: maybe(asFlag),
  diskFreeBytes: asCount,
  /** The largest model this device can run, as the bytes of its weights and its context. */
  memoryBytes: asCount,
  models: list(MAX_MODELS_PER_DEVICE, keptModel),
  /** Only if `isOpen`. Absent if the owner doesn't want it to look for them. */
  servers: maybe(list(MAX_SERVERS, foundServer)),
  /** Only if `isOpen`, without those that are among its models. */
  files: maybe(list(MAX_FOUND, foundFile)),
})

export type Library = ValueOf<typeof library>

/** Of a person in the console. The device sends one `model-reply` with the same `request`. */
const request = {
  request: asText,
  /** The person's name, for the owner of the device. */
  by: asText,
}

export type ModelRequest = Shaped<typeof request>

export const MODEL_REQUESTS = {
  /** Asks what a reference means, or which models of the hub a few words find, without changing anything. */
  'model-look-up': { ...request, source: asText },
  /** Starts a download, or resumes one that was paused or failed. */
  'model-fetch': { ...request, source: asText },
  'model-pause': { ...request, model: asText },
  /** Ends a download and deletes what came so far. */
  'model-cancel': { ...request, model: asText },
  'model-remove': { ...request, model: asText },
  /** Accepts the model's blocked requests again. */
  'model-unblock': { ...request, model: asText },
  /** Serves the models of a local server that the library names, now and after each start. */
  'server-add': { ...request, server: asText },
} as const

export type ModelRequestFrame = Variants<'type', typeof MODEL_REQUESTS>

export function isModelRequest(frame: { type: string }): frame is ModelRequestFrame {
  return frame.type in MODEL_REQUESTS
}

/** One size of a model on the hub. */
const quantization = object({
  /** Such as Q4_K_M. */
  quant: name,
  /** The name that the model is served under in this size, and the reference to get it by. */
  name,
  source,
  bytes: asCount,
})

export type Quantization = ValueOf<typeof quantization>

/** The model that a reference stands for on this device. */
const foundModel = object({
  /** The name that the model is served under. */
  name,
  /** The reference again, with the quantization that the device chose. */
  source,
  bytes: asCount,
  /** The memory that it takes, at least. */
  memoryBytes: asCount,
  license: maybe(name),
  /** Smallest first. */
  quantizations: maybe(list(MAX_FOUND, quantization)),
})

export type FoundModel = ValueOf<typeof foundModel>

/** A model of the hub that a search found. */
const hubModel = object({
  /** The reference to look it up by. */
  source,
  downloads: asCount,
  license: maybe(name),
})

export type HubModel = ValueOf<typeof hubModel>

/** `failed` covers everything else. */
const problemCode = oneOf(['not-allowed', 'not-found', 'needs-license', 'no-room', 'unreachable', 'failed'], 'failed')

export type ModelProblemCode = ValueOf<typeof problemCode>

const modelProblem = object({
  code: problemCode,
  message: reason,
  /** Advice for the person who asked. */
  remedy: maybe(reason),
})

export type ModelProblem = ValueOf<typeof modelProblem>

export const MODEL_REPLY = {
  'model-reply': {
    request: name,
    /** Absent if it is done. */
    problem: maybe(modelProblem),
    /** For `model-look-up` and `model-fetch`. */
    found: maybe(foundModel),
    /** For a `model-look-up` of words that are no reference: the most popular first. */
    hits: maybe(list(MAX_FOUND, hubModel)),
    /** For `model-remove`. */
    freedBytes: maybe(asCount),
  },
} as const

export type ModelReply = Variants<'type', typeof MODEL_REPLY>

export const DOWNLOAD_STATES = ['waiting', 'downloading', 'verifying', 'paused', 'failed'] as const
export type DownloadState = (typeof DOWNLOAD_STATES)[number]

/** A model that is being downloaded; without a total if the size is unknown. */
export const download = object({
  model: name,
  doneBytes: asCount,
  totalBytes: maybe(asCount),
  /** Absent on older devices, which report only downloads that are running. */
  state: maybe(oneOf(DOWNLOAD_STATES, 'downloading')),
  bytesPerSecond: maybe(asCount),
  /** Where it comes from, to ask for it again. */
  source: maybe(source),
  /** Who asked for it in the console. */
  by: maybe(name),
  /** Why it failed and what to do, for people. */
  problem: maybe(reason),
})

export type Download = ValueOf<typeof download>
