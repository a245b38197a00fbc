// Every field of a job in one table: how it is read from raw JSON, and what a device must be able
// to do before it may get the field. Both ends use it: the gateway to find devices that can do a
// job, the device to read the job and to check it once more before it starts. A field of ChatJob
// that has no entry here does not compile.

import {
  asLogitBias,
  jobMessage,
  jobTool,
  level,
  logprobs,
  prefixScope,
  recovery,
  responseFormat,
  webSearch,
  type ChatJob,
  type JobMessage,
} from './chat-job.ts'
import type { Feature } from '../features.ts'
import { MAX_CHOICES } from '../limits.ts'
import { asCount, asNumber, asText, type Read } from '../read-fields.ts'
import { count, listAt, oneOf } from '../shapes.ts'

/** A feature that a job needs, and the field of the public interface that asks for it. */
export interface Need {
  feature: Feature
  param: string
}

export interface JobField<Value> {
  read: Read<Value>
  /** Say `nothing` for a base field, which every device understands. */
  needs: (value: Value) => readonly Need[]
}

export type JobFields<Job> = { readonly [Name in keyof Job]: JobField<Job[Name]> }

const NONE: readonly Need[] = []

// In the order in which an error lists what is missing.
export const JOB_FIELDS: JobFields<Required<ChatJob>> = {
  model: { read: asText, needs: nothing },
  messages: { read: listAt(jobMessage), needs: needsOfMessages },
  tools: { read: listAt(jobTool), needs: always('tools', 'tools') },
  toolChoice: { read: oneOf(['none']), needs: always('tools', 'tool_choice') },
  n: { read: count(MAX_CHOICES), needs: (n) => (n > 1 ? [need('n', 'n')] : NONE) },
  logprobs: { read: logprobs, needs: always('logprobs', 'logprobs') },
  logitBias: { read: asLogitBias, needs: always('logit_bias', 'logit_bias') },
  responseFormat: { read: responseFormat, needs: ({ type }) => [need(type, 'response_format')] },
  reasoningEffort: { read: level, needs: always('reasoning_effort', 'reasoning_effort') },
  webSearch: { read: webSearch, needs: always('web_search', 'web_search_options') },
  // No field of a request asks for it: the organization's settings do.
  prefixScope: { read: prefixScope, needs: ({ isSeparate }) => (isSeparate ? [need('prefix_scope', 'model')] : NONE) },
  // The gateway asks for it on its own, on devices that can do it.
  recovery: { read: recovery, needs: always('resume', 'model') },
  temperature: { read: asNumber, needs: nothing },
  topP: { read: asNumber, needs: nothing },
  maxTokens: { read: asCount, needs: nothing },
  stop: { read: listAt(asText), needs: nothing },
  frequencyPenalty: { read: asNumber, needs: nothing },
  presencePenalty: { read: asNumber, needs: nothing },
}

export const JOB_FIELD_NAMES = Object.keys(JOB_FIELDS) as (keyof ChatJob)[]
const WITH_NEEDS = JOB_FIELD_NAMES.filter((name) => JOB_FIELDS[name].needs !== nothing)

/** Each feature once, with the first field that asks for it. */
export function jobNeeds(job: ChatJob): Need[] {
  const needs: Need[] = []
  for (const name of WITH_NEEDS)
    for (const need of fieldNeeds(job, name))
      if (!needs.some(({ feature }) => feature === need.feature)) needs.push(need)
  return needs
}

/** For a field that is added to a job whose other needs are known. */
export function fieldNeeds<Name extends keyof ChatJob>(
  job: Partial<Pick<Required<ChatJob>, Name>>,
  name: Name,
): readonly Need[] {
  const value: Required<ChatJob>[Name] | undefined = job[name]
  return value === undefined ? NONE : JOB_FIELDS[name].needs(value)
}

function nothing(): readonly Need[] {
  return NONE
}

function always(feature: Feature, param: string): () => readonly Need[] {
  const needs = [need(feature, param)]
  return () => needs
}

function need(feature: Feature, param: string): Need {
  return { feature, param }
}

// A device that cannot call tools cannot read the calls and results of earlier turns either.
function needsOfMessages(messages: readonly JobMessage[]): readonly Need[] {
  const index = messages.findIndex(
    (message) => message.role === 'tool' || ('toolCalls' in message && message.toolCalls),
  )
  return index === -1 ? NONE : [need('tools', `messages[${index}].role`)]
}
