// The usage of one request, and how it is written in the usage journal: one line of JSON with ids and numbers, and no content.

import { z } from 'zod'
import type { JobRecord } from '../fleet/fleet.ts'

export interface UsageRecord {
  /** When the request ended, in milliseconds since 1970. */
  at: number
  organization: string
  key: string
  model: string
  /** Empty if no device answered. */
  device: string
  isError: boolean
  promptTokens: number
  completionTokens: number
  waitMs: number
}

const count = z.int().min(0)
const LINE = z.tuple([count, z.string(), z.string(), z.string(), z.string(), count, count, count, count])

export function toUsageRecord({ ticket, outcome, device = '', tokens, waitMs }: JobRecord, at: number): UsageRecord {
  return {
    at,
    organization: ticket.organization,
    key: ticket.key,
    model: ticket.model,
    device,
    isError: outcome.kind !== 'ended' && outcome.kind !== 'cancelled',
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    waitMs: Math.round(waitMs),
  }
}

export function formatUsageRecord(record: UsageRecord): string {
  const { at, organization, key, model, device, isError, promptTokens, completionTokens, waitMs } = record
  const errors = isError ? 1 : 0
  return `${JSON.stringify([at, organization, key, model, device, errors, promptTokens, completionTokens, waitMs])}\n`
}

/** Undefined for a line that a crash cut off or filled with zeros: neither is JSON, so the format needs no checksum. */
export function parseUsageRecord(line: string): UsageRecord | undefined {
  const { data } = LINE.safeParse(parseJson(line))
  if (!data) return undefined
  const [at, organization, key, model, device, errors, promptTokens, completionTokens, waitMs] = data
  return { at, organization, key, model, device, isError: errors === 1, promptTokens, completionTokens, waitMs }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
