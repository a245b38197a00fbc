// The usage of one request, and how it is written in the usage journal: one line of JSON with ids and numbers, and no content.

import { z } from 'zod'
import { outcomeCode } from '../chat/reply/outcome-error.ts'
import type { JobRecord } from '../fleet/fleet.ts'

/** How a request ended: empty if it was answered, `canceled` if its client left, otherwise the code of its error. */
export type EndCode = string

const CANCELED: EndCode = 'canceled'

export interface UsageRecord {
  /** When the request ended, in milliseconds since 1970. */
  at: number
  /** The id that the client got with the response. */
  request: string
  organization: string
  key: string
  model: string
  /** Empty if no device answered. */
  device: string
  code: EndCode
  promptTokens: number
  completionTokens: number
  waitMs: number
  /** Undefined if there was no first token. */
  firstTokenMs: number | undefined
  totalMs: number
  /** How often it was offered to a device. */
  attempts: number
  isStream: boolean
}

const count = z.int().min(0)
const name = z.string()
const FIELDS = [count, name, name, name, name, count, count, count, count] as const
const LINE = z.tuple([...FIELDS, name, name, z.int().min(-1), count, count, count])
/** Written by gateways that kept no list of requests. */
const OLD_LINE = z.tuple(FIELDS)

export function toUsageRecord(record: JobRecord, at: number): UsageRecord {
  const { ticket, outcome, device = '', tokens, waitMs, firstEventMs, totalMs, attempts } = record
  return {
    at,
    request: ticket.job,
    organization: ticket.organization,
    key: ticket.key,
    model: ticket.model,
    device,
    code: outcomeCode(outcome, ticket.model),
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    waitMs: Math.round(waitMs),
    firstTokenMs: firstEventMs === undefined ? undefined : Math.round(firstEventMs),
    totalMs: Math.round(totalMs),
    attempts,
    isStream: !ticket.rerunnable,
  }
}

export function isError({ code }: Pick<UsageRecord, 'code'>): boolean {
  return code !== '' && code !== CANCELED
}

/** Written by hand, because every request writes one. Ids and codes are the gateway's own and need no escaping; people choose model names. */
export function formatUsageRecord(record: UsageRecord): string {
  const { at, organization, key, model, device, promptTokens, completionTokens, waitMs } = record
  const { request, code, firstTokenMs = -1, totalMs, attempts, isStream } = record
  const errors = isError(record) ? 1 : 0
  const who = `"${organization}","${key}",${JSON.stringify(model)},"${device}"`
  const usage = `${errors},${promptTokens},${completionTokens},${waitMs}`
  return `[${at},${who},${usage},"${request}","${code}",${firstTokenMs},${totalMs},${attempts},${isStream ? 1 : 0}]\n`
}

/** Undefined for a line that a crash cut off or filled with zeros: neither is JSON, so the format needs no checksum. */
export function parseUsageRecord(line: string): UsageRecord | undefined {
  const json = parseJson(line)
  const data = LINE.safeParse(json).data ?? OLD_LINE.safeParse(json).data
  if (!data) return undefined
  const [at, organization, key, model, device, errors, promptTokens, completionTokens, waitMs, ...rest] = data
  const [request = '', code = errors === 1 ? 'server_error' : '', first = -1, totalMs = 0, attempts = 0, stream = 0] =
    rest
  const usage = { at, organization, key, model, device, promptTokens, completionTokens, waitMs }
  const firstTokenMs = first === -1 ? undefined : first
  return { ...usage, request, code, firstTokenMs, totalMs, attempts, isStream: stream === 1 }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
