// Counters per hour, and the latest requests. No content.

export interface UsageStore {
  /** Adds to the counters, in one transaction for the whole batch. With `batch`, does so only once, however often it is called. */
  addUsage(rows: readonly UsageRow[], batch?: UsageBatchId, details?: UsageDetails): Promise<void>
  /** Call it when the journal no longer exists: its batches would be added again. */
  forgetUsageJournal(journal: string): Promise<void>
  listUsage(input: { organization: string; from: Date; to: Date }): Promise<UsageRow[]>
  /** One for each id over the whole range, most requests first. */
  sumUsage(question: UsageQuestion): Promise<UsageSum[]>
  /** One for each step and id. All ids other than `ids` are one, with a line feed as its id. */
  usagePoints(question: UsageQuestion & { step: UsageStep; ids: readonly string[] }): Promise<UsagePoint[]>
  /** Failed requests by code, most first. */
  usageCodes(question: UsageQuestion): Promise<{ code: string; requests: number }[]>
  /** The latest requests that match, newest first. */
  listRequests(question: RequestQuestion): Promise<RequestPage>
}

/** The batches of a journal have increasing numbers and arrive in that order. */
export interface UsageBatchId {
  journal: string
  number: number
}

export interface Counters {
  requests: number
  errors: number
  promptTokens: number
  completionTokens: number
  waitMs: number
  /** Time that devices spent on requests. */
  busyMs: number
}

/** One hour (`hour` is its start, UTC) of one key, model and device. `device` is empty if no device answered. */
export interface UsageRow extends Counters, UsagePlace {
  /** Histograms of `time-buckets`. */
  times?: readonly number[]
}

export interface UsagePlace {
  hour: Date
  organization: string
  key: string
  /** Empty if the organization has no such model. */
  model: string
  device: string
}

/** Failed requests of one hour by their error code. */
export interface UsageCodeRow extends UsagePlace {
  code: string
  requests: number
}

export interface UsageDetails {
  codes: readonly UsageCodeRow[]
  /** In the order in which they ended. */
  requests: readonly RequestRow[]
}

/** One request: what it was about, how it ended and how long it took. */
export interface RequestRow {
  /** When it ended. */
  at: Date
  /** The id that the client got with the response. */
  request: string
  organization: string
  key: string
  model: string
  device: string
  /** Empty if it was answered, `canceled` if its client left, otherwise the code of its error. */
  code: string
  promptTokens: number
  completionTokens: number
  waitMs: number
  firstTokenMs: number | undefined
  totalMs: number
  attempts: number
  isStream: boolean
}

export interface ListedRequest extends RequestRow {
  /** Increases by one with every request of the organization. */
  number: number
  keyName: string
  deviceName: string
}

export interface RequestQuestion {
  organization: string
  /** Only requests before this number. */
  before?: number
  limit: number
  key?: string
  model?: string
  device?: string
  /** `answered`, `canceled`, `failed` for all errors, or the code of an error. */
  code?: string
  from?: Date
  to?: Date
  /** Only keys that this person created. */
  createdBy?: string
}

export interface RequestPage {
  requests: ListedRequest[]
  /** Pass it as `before` to get the next page; undefined if there is none. */
  next?: number
}

export type UsageStep = 'hour' | 'day'

export interface UsageQuestion {
  organization: string
  from: Date
  to: Date
  /** The group of each sum and point. */
  by: 'model' | 'key' | 'device'
  key?: string
  model?: string
  device?: string
  /** Only keys that this person created. */
  createdBy?: string
}

/** All playground keys of one person count as one. */
export interface UsageSum extends Counters {
  id: string
  name: string
  times: readonly number[]
}

export interface UsagePoint extends Counters {
  at: Date
  id: string
  times: readonly number[]
}
