// The fields of a job's log lines, as JSON without its braces. No content. Written by hand, because every request writes one: serializing an
// object of the same fields takes five times as long.

import { traceOf, type ClientIds } from '@hearth/protocol'
import type { JobRecord, Start } from '../fleet/fleet.ts'

export function formatJobFields(record: JobRecord): string {
  const { ticket, outcome, device, tokens, waitMs, firstEventMs, totalMs } = record
  const who = `${nameFields(ticket)},"organization":"${ticket.organization}","key":"${ticket.key}","model":${JSON.stringify(ticket.model)}`
  const where = device === undefined ? '' : `,"device":"${device}"`
  const what = `,"outcome":"${outcome.kind}","stream":${!ticket.rerunnable}${ticket.sealedFor === undefined ? '' : ',"sealed":true'},"promptTokens":${tokens.prompt},"completionTokens":${tokens.completion}`
  const first = firstEventMs === undefined ? '' : `,"firstEventMs":${Math.round(firstEventMs)}`
  return `${who}${where}${what},"waitMs":${Math.round(waitMs)}${first},"totalMs":${Math.round(totalMs)}`
}

/** Of a job that a device of this gateway got from another gateway, which logs the rest. */
export function formatStartFields(front: string, start: Start): string {
  return `${nameFields(start)},"attempt":${start.attempt},"organization":"${start.organization}","device":"${start.device}","from":${JSON.stringify(front)}`
}

/** The `x-request-id` of the response; the job's own id beside one that the client chose; and the client's trace. None needs escaping. */
function nameFields({ job, client }: { job: string; client?: ClientIds | undefined }): string {
  if (client === undefined) return `"request":"${job}"`
  const { requestId } = client
  const trace = traceOf(client)
  const own = requestId === undefined ? `"request":"${job}"` : `"request":"${requestId}","job":"${job}"`
  return trace === undefined ? own : `${own},"trace":"${trace}"`
}
