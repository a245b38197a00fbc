// What a job needs beyond the base fields. The gateway asks only devices that announced it; this is the last look before the engine, so that
// no field is ever dropped in silence.

import type { ChatJob, Feature } from '@hearth/protocol'

export function requiredFeatures(job: ChatJob): Feature[] {
  const needs: Partial<Record<Feature, boolean>> = {
    json_object: job.responseFormat?.type === 'json_object',
    json_schema: job.responseFormat?.type === 'json_schema',
    tools: job.tools !== undefined || job.messages.some((message) => message.role === 'tool'),
    logprobs: job.logprobs !== undefined,
    n: (job.n ?? 1) > 1,
    logit_bias: job.logitBias !== undefined,
    reasoning_effort: job.reasoningEffort !== undefined,
    web_search: job.webSearch !== undefined,
  }
  return (Object.keys(needs) as Feature[]).filter((feature) => needs[feature])
}
