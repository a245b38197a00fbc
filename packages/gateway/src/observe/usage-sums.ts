// Adds up usage per hour, key, model and device, and keeps the latest requests themselves.

import type { UsageCodeRow, UsageRow } from '../store/usage/usage-addition.ts'
import type { UsageDetails } from '../store/usage/usage.ts'
import { countTime, noTimes } from '../store/usage/time-buckets.ts'
import { isError, isFailure, type UsageRecord } from './usage-record.ts'

const HOUR_MS = 3_600_000
/** The database takes this many rows in a fraction of a second. Of more requests between two writes, the list leaves out the oldest. */
export const MAX_REQUESTS = 5_000
/** Shorter answers say nothing about speed. */
const LEAST_TOKENS = 4
const LEAST_MS = 20

interface Counted extends UsageRow {
  times: number[]
}

export class UsageSums {
  readonly #rows: Counted[] = []
  /** By key and device: a row for each hour and model, so only a few. */
  readonly #index = new Map<string, Map<string, Counted[]>>()
  readonly #codes = new Map<string, UsageCodeRow>()
  readonly #keyUses = new Map<string, Date>()
  /** A ring once it is full. */
  readonly #requests: UsageRecord[] = []
  #oldest = 0

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  add(record: UsageRecord): void {
    const row = this.#row(record)
    row.requests += 1
    row.promptTokens += record.promptTokens
    row.completionTokens += record.completionTokens
    row.waitMs += record.waitMs
    if (record.device !== '') row.busyMs += Math.max(0, record.totalMs - record.waitMs)
    if (isError(record)) this.#countError(row, record)
    countTimes(row.times, record)
    this.#keyUses.set(record.key, record.at)
    if (record.request !== '') this.#keep(record)
  }

  rows(): UsageRow[] {
    return [...this.#rows]
  }

  /** Requests are in the order in which they ended. */
  details(): UsageDetails {
    const requests = [...this.#requests.slice(this.#oldest), ...this.#requests.slice(0, this.#oldest)]
    return { codes: [...this.#codes.values()], requests }
  }

  organizations(): Set<string> {
    return new Set(this.rows().map(({ organization }) => organization))
  }

  /** The last use of each key. */
  keyUses(): { key: string; at: Date }[] {
    return [...this.#keyUses].map(([key, at]) => ({ key, at }))
  }

  #keep(record: UsageRecord): void {
    if (this.#requests.length < MAX_REQUESTS) return void this.#requests.push(record)
    this.#requests[this.#oldest] = record
    this.#oldest = (this.#oldest + 1) % MAX_REQUESTS
  }

  /** Every error has its code; only those of the service make it look bad. */
  #countError(row: Counted, { code }: UsageRecord): void {
    if (isFailure({ code })) row.errors += 1
    const { hour, organization, key, model, device } = row
    const name = `${hour.getTime()}\n${key}\n${device}\n${model}\n${code}`
    const known = this.#codes.get(name)
    if (known) known.requests += 1
    else this.#codes.set(name, { hour, organization, key, model, device, code, requests: 1 })
  }

  #row(record: UsageRecord): Counted {
    const hour = Math.floor(record.at.getTime() / HOUR_MS) * HOUR_MS
    const rows = this.#rowsOf(record)
    for (const row of rows) if (row.hour.getTime() === hour && row.model === record.model) return row
    const row = newRow(record, hour)
    rows.push(row)
    this.#rows.push(row)
    return row
  }

  #rowsOf({ key, device }: UsageRecord): Counted[] {
    let byDevice = this.#index.get(key)
    if (byDevice === undefined) this.#index.set(key, (byDevice = new Map()))
    let rows = byDevice.get(device)
    if (rows === undefined) byDevice.set(device, (rows = []))
    return rows
  }
}

function newRow({ organization, key, model, device }: UsageRecord, hour: number): Counted {
  const counters = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0, busyMs: 0 }
  return { hour: new Date(hour), organization, key, model, device, ...counters, times: noTimes() }
}

// A request that was rejected before it could wait says nothing about waits.
function countTimes(times: number[], record: UsageRecord): void {
  const { attempts, waitMs, firstTokenMs, totalMs, completionTokens, code } = record
  if (attempts > 0 || waitMs > 0) countTime(times, 'wait', waitMs)
  if (firstTokenMs === undefined) return
  countTime(times, 'firstToken', firstTokenMs)
  const ms = totalMs - firstTokenMs
  if (code === '' && completionTokens >= LEAST_TOKENS && ms >= LEAST_MS)
    countTime(times, 'speed', (completionTokens / ms) * 1_000)
}
