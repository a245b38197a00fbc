export interface UsageStore {
  /** Adds to the counters, in one statement for the whole batch. With `batch`, does so only once, however often it is called. */
  addUsage(rows: readonly UsageRow[], batch?: UsageBatchId): Promise<void>
  /** Call it when the journal no longer exists: its batches would be added again. */
  forgetUsageJournal(journal: string): Promise<void>
  listUsage(input: { organization: string; from: Date; to: Date }): Promise<UsageRow[]>
  sumUsage(input: UsageQuestion): Promise<UsagePoint[]>
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
}

/** One hour (`hour` is its start, UTC) of one key, model and device. `device` is empty if no device answered. */
export interface UsageRow extends Counters {
  hour: Date
  organization: string
  key: string
  model: string
  device: string
}

export interface UsageQuestion {
  organization: string
  from: Date
  to: Date
  /** The group of each data point, besides its time. */
  by: 'model' | 'key' | 'device'
  step: 'hour' | 'day'
  key?: string
  model?: string
  device?: string
  /** Only keys that this person created. */
  createdBy?: string
}

/** All playground keys of one person count as one. */
export interface UsagePoint extends Counters {
  at: Date
  id: string
  name: string
}
