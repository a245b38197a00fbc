// Frames that come from devices. Devices are other people's machines, so every field is checked and has a limit.

import type { FinishReason, Usage } from '../job/chat-event.ts'
import {
  MAX_BOX_LENGTH,
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
import { asNumber, isAbsent, readCount, readCounts, readObject, readText, type Fields } from '../read-fields.ts'
import { count, framesOf, list, object, oneOf, text } from '../shapes.ts'
import { DEVICE_FRAMES, type DeviceFrame, type JobDelta, type JobEnd, type JobSealed } from './frames.ts'

const token = {
  token: text(MAX_TOKEN_LENGTH),
  logprob: asNumber,
  bytes: list(MAX_TOKEN_BYTES, count(255)),
}
const readLogprobs = list(MAX_LOGPROBS, object({ ...token, top: list(MAX_TOP_LOGPROBS, object(token)) }))
const readFinishes = list(MAX_CHOICES, oneOf<FinishReason>(['stop', 'length', 'tool_calls'], 'stop'))
const readOther = framesOf(DEVICE_FRAMES)

/** Undefined for a frame type newer than this reader. */
export function readDeviceFrame(fields: Fields): DeviceFrame | undefined {
  switch (fields['type']) {
    // These come with every token and every job, so they are read without intermediate objects.
    case 'job-delta':
      return readDelta(fields)
    case 'job-sealed':
      return readSealed(fields)
    case 'job-accept':
      return {
        type: 'job-accept',
        job: readText(fields, 'job', MAX_NAME_LENGTH),
        attempt: readCount(fields, 'attempt'),
      }
    case 'job-end':
      return readEnd(fields)
    default:
      return readOther(fields)
  }
}

function readDelta(fields: Fields): JobDelta {
  const delta = isAbsent(fields['ids']) ? readTextDelta(fields) : readReportingDelta(fields)
  if (!isAbsent(fields['tokens'])) delta.tokens = readTokens(fields, 'tokens')
  if (!isAbsent(fields['logprobs'])) delta.logprobs = readLogprobs(fields['logprobs'], 'logprobs')
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

function readSealed(fields: Fields): JobSealed {
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

function readEnd(fields: Fields): JobEnd {
  const end: JobEnd = {
    type: 'job-end',
    job: readText(fields, 'job', MAX_NAME_LENGTH),
    attempt: readCount(fields, 'attempt'),
    sequence: readCount(fields, 'sequence'),
    finishes: readFinishes(fields['finishes'], 'finishes'),
  }
  if (!isAbsent(fields['usage'])) end.usage = readUsage(readObject(fields, 'usage'))
  if (!isAbsent(fields['box'])) end.box = readText(fields, 'box', MAX_END_BOX_LENGTH)
  return end
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
