// The fields of a job's log line, as JSON without its braces. No content. Written by hand, because every request writes one: serializing an
// object of the same fields takes five times as long.

import type { JobRecord } from '../fleet/fleet.ts'

export function formatJobFields(record: JobRecord): string {
  const { ticket, outcome, device, tokens, waitMs, firstEventMs, totalMs } = record
  // Ids are the gateway's own and need no escaping; people choose the names of models.
  const who = `"request":"${ticket.job}","organization":"${ticket.organization}","key":"${ticket.key}","model":${JSON.stringify(ticket.model)}`
  const where = device === undefined ? '' : `,"device":"${device}"`
  const what = `,"outcome":"${outcome.kind}","stream":${!ticket.rerunnable}${ticket.sealedFor === undefined ? '' : ',"sealed":true'},"promptTokens":${tokens.prompt},"completionTokens":${tokens.completion}`
  const first = firstEventMs === undefined ? '' : `,"firstEventMs":${Math.round(firstEventMs)}`
  return `${who}${where}${what},"waitMs":${Math.round(waitMs)}${first},"totalMs":${Math.round(totalMs)}`
}
