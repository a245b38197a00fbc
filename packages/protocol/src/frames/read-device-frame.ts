// Frames that come from devices. Devices are other people's machines, so every field is checked and has a limit.

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
import { isAbsent, readCount, readCounts, readText, type Fields } from '../read-fields.ts'
import { framesOf, list } from '../shapes.ts'
import { DEVICE_FRAMES, type DeviceFrame, type JobDelta, type JobSealed } from './frames.ts'

const readLogprobs = list(MAX_LOGPROBS, tokenLogprob)
const readOther = framesOf(DEVICE_FRAMES)

/** Undefined for a frame type newer than this reader. */
export function readDeviceFrame(fields: Fields): DeviceFrame | undefined {
  switch (fields['type']) {
    // These come with every token, so they are read without intermediate objects.
    case 'job-delta':
      return readDelta(fields)
    case 'job-sealed':
      return readSealed(fields)
    default:
      return readOther(fields)
  }
}

function readDelta(fields: Fields): JobDelta {
  const delta = isAbsent(fields['ids']) ? readTextDelta(fields) : readReportingDelta(fields)
  if (!isAbsent(fields['tokens'])) delta.tokens = readCount(fields, 'tokens', MAX_JOB_TOKENS)
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
  if (!isAbsent(fields['tokens'])) sealed.tokens = readCount(fields, 'tokens', MAX_JOB_TOKENS)
  return sealed
}
