// Frames about a job that come from devices.

import type { FinishReason, TokenLogprob, UrlCitation, Usage } from '../job/chat-event.ts'
import type { ToolCall } from '../job/chat-job.ts'
import {
  MAX_ANNOTATIONS,
  MAX_BOX_LENGTH,
  MAX_CALLS,
  MAX_CHOICES,
  MAX_END_BOX_LENGTH,
  MAX_JOB_TOKENS,
  MAX_LOGPROBS,
  MAX_NAME_LENGTH,
  MAX_TOKEN_BYTES,
  MAX_TOKEN_ID,
  MAX_TOKEN_IDS,
  MAX_TOKEN_LENGTH,
  MAX_TOP_LOGPROBS,
} from '../limits.ts'
import {
  asCount,
  asObject,
  asWord,
  isAbsent,
  optional,
  readCount,
  readCounts,
  readFlag,
  readList,
  readNumber,
  readObject,
  readText,
  readWord,
  skipUnknown,
  type Fields,
} from '../read-fields.ts'
import type {
  DeviceFrame,
  JobAttempt,
  JobDelta,
  JobEnd,
  JobErrorCode,
  JobSealed,
  ProgressPhase,
  RefuseReason,
} from './frames.ts'

const FINISH_REASONS: readonly FinishReason[] = ['stop', 'length', 'tool_calls']
const REFUSE_REASONS: readonly RefuseReason[] = ['busy', 'not-loaded', 'draining', 'unsupported', 'wrong-organization']
const ERROR_CODES: readonly JobErrorCode[] = [
  'context_length_exceeded',
  'invalid_json_schema',
  'invalid_function_parameters',
  'invalid_value',
  'seal_rejected',
  'failed',
]
const PHASES: readonly ProgressPhase[] = ['queued', 'loading', 'prompt', 'reasoning', 'searching']

/** Undefined for a frame type newer than this reader. */
export function readJobFrame(fields: Fields): DeviceFrame | undefined {
  switch (fields['type']) {
    case 'job-accept':
    case 'job-cancelled':
    case 'job-hand-over':
      return {
        type: fields['type'],
        job: readText(fields, 'job', MAX_NAME_LENGTH),
        attempt: readCount(fields, 'attempt'),
      }
    case 'job-refuse':
      return { type: 'job-refuse', ...readAttempt(fields), reason: readWord(fields, 'reason', REFUSE_REASONS, 'busy') }
    case 'job-progress':
      return readProgress(fields)
    case 'job-calls':
      return { type: 'job-calls', ...readPlace(fields), calls: readList(fields, 'calls', MAX_CALLS, readCall) }
    case 'job-annotations':
      return {
        type: 'job-annotations',
        ...readPlace(fields),
        annotations: readList(fields, 'annotations', MAX_ANNOTATIONS, readCitation),
      }
    case 'job-end':
      return readEnd(fields)
    case 'job-error':
      return readError(fields)
    default:
      return skipUnknown(fields)
  }
}

// These frames come with every token and every job, so they are read without intermediate objects.
export function readDelta(fields: Fields): JobDelta {
  const delta = isAbsent(fields['ids']) ? readTextDelta(fields) : readReportingDelta(fields)
  if (!isAbsent(fields['tokens'])) delta.tokens = readTokens(fields, 'tokens')
  if (!isAbsent(fields['logprobs'])) delta.logprobs = readList(fields, 'logprobs', MAX_LOGPROBS, readLogprob)
  return delta
}

function readTextDelta(fields: Fields): JobDelta {
  return {
    type: 'job-delta',
    job: readText(fields, 'job', MAX_NAME_LENGTH),
    attempt: readCount(fields, 'attempt'),
    sequence: readCount(fields, 'sequence'),
    choice: readCount(fields, 'choice', MAX_CHOICES - 1),
    text: readText(fields, 'text'),
  }
}

// Not a text delta with one more field: a field that an object gets later is stored in a second object.
function readReportingDelta(fields: Fields): JobDelta {
  return {
    type: 'job-delta',
    job: readText(fields, 'job', MAX_NAME_LENGTH),
    attempt: readCount(fields, 'attempt'),
    sequence: readCount(fields, 'sequence'),
    choice: readCount(fields, 'choice', MAX_CHOICES - 1),
    text: readText(fields, 'text'),
    ids:
      typeof fields['ids'] === 'number'
        ? readCount(fields, 'ids', MAX_TOKEN_ID)
        : readCounts(fields, 'ids', MAX_TOKEN_IDS, MAX_TOKEN_ID),
  }
}

export function readSealed(fields: Fields): JobSealed {
  const sealed: JobSealed = {
    type: 'job-sealed',
    job: readText(fields, 'job', MAX_NAME_LENGTH),
    attempt: readCount(fields, 'attempt'),
    sequence: readCount(fields, 'sequence'),
    box: readText(fields, 'box', MAX_BOX_LENGTH),
  }
  if (!isAbsent(fields['tokens'])) sealed.tokens = readTokens(fields, 'tokens')
  return sealed
}

function readAttempt(fields: Fields): JobAttempt {
  return { job: readText(fields, 'job', MAX_NAME_LENGTH), attempt: readCount(fields, 'attempt') }
}

function readPlace(fields: Fields): JobAttempt & { sequence: number; choice: number } {
  return {
    ...readAttempt(fields),
    sequence: readCount(fields, 'sequence'),
    choice: readCount(fields, 'choice', MAX_CHOICES - 1),
  }
}

function readProgress(fields: Fields): DeviceFrame {
  return {
    type: 'job-progress',
    ...readAttempt(fields),
    phase: readWord(fields, 'phase', PHASES, 'queued'),
    ...optional(fields, 'done', readCount),
    ...optional(fields, 'total', readCount),
  }
}

function readLogprob(item: unknown): TokenLogprob {
  const fields = asObject(item, 'logprobs')
  const top = readList(fields, 'top', MAX_TOP_LOGPROBS, (item) => readToken(asObject(item, 'top')))
  return { ...readToken(fields), top }
}

function readToken(fields: Fields): { token: string; logprob: number; bytes: number[] } {
  return {
    token: readText(fields, 'token', MAX_TOKEN_LENGTH),
    logprob: readNumber(fields, 'logprob'),
    bytes: readList(fields, 'bytes', MAX_TOKEN_BYTES, (item, name) => asCount(item, name, 255)),
  }
}

function readCall(item: unknown): ToolCall {
  const fields = asObject(item, 'calls')
  return {
    id: readText(fields, 'id', MAX_NAME_LENGTH),
    name: readText(fields, 'name', MAX_NAME_LENGTH),
    arguments: readText(fields, 'arguments'),
  }
}

function readCitation(item: unknown): UrlCitation {
  const fields = asObject(item, 'annotations')
  return {
    url: readText(fields, 'url', 8192),
    title: readText(fields, 'title', 8192),
    start: readCount(fields, 'start'),
    end: readCount(fields, 'end'),
  }
}

function readEnd(fields: Fields): DeviceFrame {
  const end: JobEnd = {
    type: 'job-end',
    job: readText(fields, 'job', MAX_NAME_LENGTH),
    attempt: readCount(fields, 'attempt'),
    sequence: readCount(fields, 'sequence'),
    finishes: readList(fields, 'finishes', MAX_CHOICES, readFinish),
  }
  if (!isAbsent(fields['usage'])) end.usage = readUsage(readObject(fields, 'usage'))
  if (!isAbsent(fields['box'])) end.box = readText(fields, 'box', MAX_END_BOX_LENGTH)
  return end
}

function readFinish(item: unknown, name: string): FinishReason {
  return asWord(item, name, FINISH_REASONS, 'stop')
}

function readUsage(fields: Fields): Usage {
  const usage: Usage = {
    promptTokens: readTokens(fields, 'promptTokens'),
    completionTokens: readTokens(fields, 'completionTokens'),
  }
  if (!isAbsent(fields['cachedTokens'])) usage.cachedTokens = readTokens(fields, 'cachedTokens')
  if (!isAbsent(fields['ownCachedTokens'])) usage.ownCachedTokens = readTokens(fields, 'ownCachedTokens')
  if (!isAbsent(fields['reasoningTokens'])) usage.reasoningTokens = readTokens(fields, 'reasoningTokens')
  return usage
}

function readTokens(fields: Fields, name: string): number {
  return readCount(fields, name, MAX_JOB_TOKENS)
}

function readError(fields: Fields): DeviceFrame {
  return {
    type: 'job-error',
    ...readAttempt(fields),
    code: readWord(fields, 'code', ERROR_CODES, 'failed'),
    message: readText(fields, 'message').slice(0, 2048),
    retryable: readFlag(fields, 'retryable'),
    crashed: readFlag(fields, 'crashed'),
    ...optional(fields, 'param', (from, name) => readText(from, name, MAX_NAME_LENGTH)),
    ...optional(fields, 'box', (from, name) => readText(from, name, MAX_END_BOX_LENGTH)),
  }
}
