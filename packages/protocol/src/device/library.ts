// The models that a device keeps on its disk, and the requests of people in the console to change them.

/** The models that a device keeps, and its room for more. Only devices that send it get requests about models. */
export interface Library {
  /** True if people may add and remove models from the console. */
  isOpen: boolean
  /** Why not, and what to do about it, for people. */
  why?: string
  /** False if the owner doesn't allow chat templates from the console: jobs run with the model's own. Absent on older devices, which use them. */
  takesTemplates?: boolean
  diskFreeBytes: number
  /** The largest model this device can run, as the bytes of its weights and its context. */
  memoryBytes: number
  models: KeptModel[]
}

export interface KeptModel {
  name: string
  bytes: number
  /** Where it came from, as the owner or the console wrote it. */
  source?: string
  /** True if removing it deletes its file and so frees space. */
  isDeletable?: boolean
}

/** A request of a person in the console. The device sends one `model-reply` with the same `request`. */
export interface ModelRequest {
  request: string
  /** The person's name, for the owner of the device. */
  by: string
}

export type ModelRequestFrame =
  /** Asks what a reference means, without changing anything. */
  | ({ type: 'model-look-up'; source: string } & ModelRequest)
  /** Starts a download, or resumes one that was paused or failed. */
  | ({ type: 'model-fetch'; source: string } & ModelRequest)
  | ({ type: 'model-pause'; model: string } & ModelRequest)
  /** Ends a download and deletes what came so far. */
  | ({ type: 'model-cancel'; model: string } & ModelRequest)
  | ({ type: 'model-remove'; model: string } & ModelRequest)
  /** Accepts the model's blocked requests again. */
  | ({ type: 'model-unblock'; model: string } & ModelRequest)

export interface ModelReply {
  type: 'model-reply'
  request: string
  /** Absent if it is done. */
  problem?: ModelProblem
  /** For `model-look-up` and `model-fetch`. */
  found?: FoundModel
  /** For `model-remove`. */
  freedBytes?: number
}

/** The model that a reference stands for on this device. */
export interface FoundModel {
  /** The name that the model is served under. */
  name: string
  /** The reference again, with the quantization that the device chose. */
  source: string
  bytes: number
  /** The memory that it takes, at least. */
  memoryBytes: number
  license?: string
}

export interface ModelProblem {
  code: ModelProblemCode
  message: string
  /** Advice for the person who asked. */
  remedy?: string
}

/** `failed` covers everything else. */
export type ModelProblemCode = 'not-allowed' | 'not-found' | 'needs-license' | 'no-room' | 'unreachable' | 'failed'

export const DOWNLOAD_STATES = ['waiting', 'downloading', 'verifying', 'paused', 'failed'] as const
export type DownloadState = (typeof DOWNLOAD_STATES)[number]

/** A model that is being downloaded; without a total if the size is unknown. */
export interface Download {
  model: string
  doneBytes: number
  totalBytes?: number
  /** Absent on older devices, which report only downloads that are running. */
  state?: DownloadState
  bytesPerSecond?: number
  /** Where it comes from, to ask for it again. */
  source?: string
  /** Who asked for it in the console. */
  by?: string
  /** Why it failed and what to do, for people. */
  problem?: string
}
