// The usage of one request, and how it is written in the usage journal: one line of JSON with ids and numbers, and no content.

import { z } from 'zod'
import { API_ERRORS, isApiErrorCode, outcomeCode } from '@hearth/chat'
import type { JobRecord } from '../fleet/fleet.ts'
import type { RequestRow } from '../store/usage/requests.ts'

const CANCELED = 'canceled'

export type UsageRecord = RequestRow

/** Bits of a line's kind. */
const STREAM = 1
const SEALED = 2

const count = z.int().min(0)
const name = z.string()
const FIELDS = [count, name, name, name, name, count, count, count, count] as const
/** The last two are there if another device continued the reply. */
const TAKE_OVER = [name.optional(), count.optional()] as const
const LINE = z.tuple([...FIELDS, name, name, z.int().min(-1), count, count, count, ...TAKE_OVER])
/** Written by gateways that kept no list of requests. */
const OLD_LINE = z.tuple(FIELDS)

export function toUsageRecord(record: JobRecord, at: Date): UsageRecord {
  const { ticket, outcome, device = '', tokens, waitMs, firstEventMs, totalMs, attempts, takeOver } = record
  return {
    at,
    request: ticket.client?.requestId ?? ticket.job,
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
    isSealed: ticket.sealedFor !== undefined,
    takeOver: takeOver && { left: takeOver.left, gapMs: Math.round(takeOver.gapMs) },
  }
}

export function isError({ code }: Pick<UsageRecord, 'code'>): boolean {
  return code !== '' && code !== CANCELED
}

/** The service failed, rather than the client: every code of ours from 500 on, and those that this version doesn't know. */
export function isFailure({ code }: Pick<UsageRecord, 'code'>): boolean {
  return isError({ code }) && !(isApiErrorCode(code) && API_ERRORS[code].status < 500)
}

/** Written by hand, because every request writes one. Ids and codes are the gateway's own and need no escaping; people choose model names. */
export function formatUsageRecord(record: UsageRecord): string {
  const { at, organization, key, model, device, promptTokens, completionTokens, waitMs } = record
  const { request, code, firstTokenMs = -1, totalMs, attempts, isStream, isSealed, takeOver } = record
  const errors = isError(record) ? 1 : 0
  const who = `"${organization}","${key}",${JSON.stringify(model)},"${device}"`
  const usage = `${errors},${promptTokens},${completionTokens},${waitMs}`
  const kind = (isStream ? STREAM : 0) + (isSealed ? SEALED : 0)
  const continued = takeOver === undefined ? '' : `,"${takeOver.left}",${takeOver.gapMs}`
  return `[${at.getTime()},${who},${usage},"${request}","${code}",${firstTokenMs},${totalMs},${attempts},${kind}${continued}]\n`
}

/** Undefined for a line that a crash cut off or filled with zeros: neither is JSON, so the format needs no checksum. */
export function parseUsageRecord(line: string): UsageRecord | undefined {
  const json = parseJson(line)
  const data = LINE.safeParse(json).data ?? OLD_LINE.safeParse(json).data
  if (!data) return undefined
  const [at, organization, key, model, device, errors, promptTokens, completionTokens, waitMs, ...rest] = data
  const [request = '', code = errors === 1 ? 'server_error' : '', first = -1, totalMs = 0, ...more] = rest
  const [attempts = 0, kind = 0, left, gapMs] = more
  const usage = { at: new Date(at), organization, key, model, device, promptTokens, completionTokens, waitMs }
  const firstTokenMs = first === -1 ? undefined : first
  const takeOver = left === undefined || gapMs === undefined ? undefined : { left, gapMs }
  const [isStream, isSealed] = [(kind & STREAM) !== 0, (kind & SEALED) !== 0]
  return { ...usage, request, code, firstTokenMs, totalMs, attempts, isStream, isSealed, takeOver }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
