export interface UsageStore {
  /** Adds to the counters; one statement for the whole batch. */
  addUsage(rows: readonly UsageRow[]): Promise<void>
  listUsage(input: { organization: string; from: Date; to: Date }): Promise<UsageRow[]>
  sumUsage(input: UsageQuestion): Promise<UsagePoint[]>
}

export interface Counters {
  requests: number
  errors: number
  promptTokens: number
  completionTokens: number
  waitMs: number
}

/** One hour (`hour` is its start, UTC) of one key on one model and one device. `device` is empty when no device answered. */
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
  /** What each point stands for, besides its time. */
  by: 'model' | 'key' | 'device'
  step: 'hour' | 'day'
  key?: string
  model?: string
  device?: string
  /** Only keys this person made. */
  createdBy?: string
}

/** All keys of one person's playground count as one. */
export interface UsagePoint extends Counters {
  at: Date
  id: string
  name: string
}
