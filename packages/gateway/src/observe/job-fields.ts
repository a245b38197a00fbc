// The fields of a job's log line. No content.

import type { JobRecord } from '../fleet/fleet.ts'

export function jobFields({ ticket, outcome, device, tokens, waitMs, firstEventMs, totalMs }: JobRecord) {
  return {
    request: ticket.job,
    organization: ticket.organization,
    key: ticket.key,
    model: ticket.model,
    device,
    outcome: outcome.kind,
    stream: !ticket.rerunnable,
    promptTokens: tokens.prompt,
    completionTokens: tokens.completion,
    waitMs: Math.round(waitMs),
    firstEventMs: firstEventMs === undefined ? undefined : Math.round(firstEventMs),
    totalMs: Math.round(totalMs),
  }
}
