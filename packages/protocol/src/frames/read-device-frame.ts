// Frames that come from devices. Devices are other people's machines, so every field is checked and
// has a limit.

import { tokenLogprob } from '../job/chat-event.ts'
import {
  MAX_BOX_LENGTH,
  MAX_CHOICES,
  MAX_JOB_TOKENS,
  MAX_LOGPROBS,
  MAX_NAME_LENGTH,
  MAX_TOKEN_ID,
  MAX_TOKEN_IDS,
} from '../limits.ts'
import { asCount, asCounts, asText, isAbsent, type Fields } from '../read-fields.ts'
import { framesOf, list } from '../shapes.ts'
import { DEVICE_FRAMES, type DeviceFrame, type JobDelta, type JobEnd, type JobSealed } from './frames.ts'

const readLogprobs = list(MAX_LOGPROBS, tokenLogprob)
const readOther = framesOf(DEVICE_FRAMES)
const JOB_END = DEVICE_FRAMES['job-end']

/** Undefined for a frame type newer than this reader. */
export function readDeviceFrame(fields: Fields): DeviceFrame | undefined {
  switch (fields['type']) {
    // These come with every token or reply, so they are read without intermediate objects.
    case 'job-delta':
      return readDelta(fields)
    case 'job-sealed':
      return readSealed(fields)
    case 'job-accept':
      return {
        type: 'job-accept',
        job: asText(fields['job'], 'job', MAX_NAME_LENGTH),
        attempt: asCount(fields['attempt'], 'attempt'),
      }
    case 'job-end':
      return readEnd(fields)
    default:
      return readOther(fields)
  }
}

function readDelta(fields: Fields): JobDelta {
  const delta = isAbsent(fields['ids']) ? readTextDelta(fields) : readReportingDelta(fields)
  if (!isAbsent(fields['tokens'])) delta.tokens = asCount(fields['tokens'], 'tokens', MAX_JOB_TOKENS)
  if (!isAbsent(fields['logprobs'])) delta.logprobs = readLogprobs(fields['logprobs'], 'logprobs')
  return delta
}

function readTextDelta(fields: Fields): JobDelta {
  return {
    type: 'job-delta',
    job: asText(fields['job'], 'job', MAX_NAME_LENGTH),
    attempt: asCount(fields['attempt'], 'attempt'),
    sequence: asCount(fields['sequence'], 'sequence'),
    choice: asCount(fields['choice'], 'choice', MAX_CHOICES - 1),
    text: asText(fields['text'], 'text'),
  }
}

// Not a text delta with one more field: a field that an object gets later is stored in a second object.
function readReportingDelta(fields: Fields): JobDelta {
  return {
    type: 'job-delta',
    job: asText(fields['job'], 'job', MAX_NAME_LENGTH),
    attempt: asCount(fields['attempt'], 'attempt'),
    sequence: asCount(fields['sequence'], 'sequence'),
    choice: asCount(fields['choice'], 'choice', MAX_CHOICES - 1),
    text: asText(fields['text'], 'text'),
    ids:
      typeof fields['ids'] === 'number'
        ? asCount(fields['ids'], 'ids', MAX_TOKEN_ID)
        : asCounts(fields['ids'], 'ids', MAX_TOKEN_IDS, MAX_TOKEN_ID),
  }
}

function readEnd(fields: Fields): JobEnd {
  const end: JobEnd = {
    type: 'job-end',
    job: asText(fields['job'], 'job', MAX_NAME_LENGTH),
    attempt: asCount(fields['attempt'], 'attempt'),
    sequence: asCount(fields['sequence'], 'sequence'),
    finishes: JOB_END.finishes(fields['finishes'], 'finishes'),
  }
  if (!isAbsent(fields['usage'])) end.usage = JOB_END.usage.maybe(fields['usage'], 'usage')
  if (!isAbsent(fields['box'])) end.box = JOB_END.box.maybe(fields['box'], 'box')
  return end
}

function readSealed(fields: Fields): JobSealed {
  const sealed: JobSealed = {
    type: 'job-sealed',
    job: asText(fields['job'], 'job', MAX_NAME_LENGTH),
    attempt: asCount(fields['attempt'], 'attempt'),
    sequence: asCount(fields['sequence'], 'sequence'),
    box: asText(fields['box'], 'box', MAX_BOX_LENGTH),
  }
  if (!isAbsent(fields['tokens'])) sealed.tokens = asCount(fields['tokens'], 'tokens', MAX_JOB_TOKENS)
  return sealed
}
