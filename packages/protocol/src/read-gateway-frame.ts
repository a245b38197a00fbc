// Frames that come from the gateway. The gateway has normalised the job, so its insides are taken as they are once their outline fits.

import type { ChatJob } from './chat-job.ts'
import type { CancelReason, GatewayFrame, JobAttempt, JobStart } from './frames.ts'
import {
  ProtocolError,
  asObject,
  optional,
  readCount,
  readList,
  readObject,
  readText,
  readWord,
  type Fields,
} from './read-fields.ts'

const CANCEL_REASONS: readonly CancelReason[] = [
  'client-gone',
  'client-stalled',
  'timed-out',
  'revoked',
  'shutdown',
  'superseded',
]

/** Undefined for a type newer than we are. */
export function readGatewayFrame(fields: Fields): GatewayFrame | undefined {
  switch (fields['type']) {
    case 'ping':
      return { type: 'ping' }
    case 'welcome':
      return readWelcome(fields)
    case 'job-start':
      return readStart(fields)
    case 'job-part':
      return {
        type: 'job-part',
        ...readAttempt(fields),
        index: readCount(fields, 'index'),
        text: readText(fields, 'text'),
      }
    case 'job-cancel':
      return {
        type: 'job-cancel',
        ...readAttempt(fields),
        reason: readWord(fields, 'reason', CANCEL_REASONS, 'client-gone'),
      }
    case 'job-pause':
    case 'job-resume':
      return { type: fields['type'], ...readAttempt(fields) }
    case 'restarting':
      return { type: 'restarting', reconnectInMs: readCount(fields, 'reconnectInMs') }
    case 'notice':
      return { type: 'notice', text: readText(fields, 'text') }
    default:
      if (typeof fields['type'] !== 'string') throw new ProtocolError('"type" is a string')
      return undefined
  }
}

function readAttempt(fields: Fields): JobAttempt {
  return { job: readText(fields, 'job'), attempt: readCount(fields, 'attempt') }
}

function readWelcome(fields: Fields): GatewayFrame {
  return {
    type: 'welcome',
    protocol: readCount(fields, 'protocol'),
    device: readText(fields, 'device'),
    organization: readText(fields, 'organization'),
    pingBusyMs: readCount(fields, 'pingBusyMs'),
    pingIdleMs: readCount(fields, 'pingIdleMs'),
  }
}

function readStart(fields: Fields): GatewayFrame {
  const start: JobStart = {
    type: 'job-start',
    ...readAttempt(fields),
    organization: readText(fields, 'organization'),
    ...optional(fields, 'parts', readCount),
    ...optional(fields, 'request', (from, name) => readChatJob(readObject(from, name))),
  }
  if ((start.request === undefined) === (start.parts === undefined) || start.parts === 0)
    throw new ProtocolError('"job-start" has either a "request" or at least one of "parts"')
  return start
}

/** Also reads a request that came in parts, once its text is whole. */
function readChatJob(fields: Fields): ChatJob {
  readText(fields, 'model')
  readList(fields, 'messages', Number.POSITIVE_INFINITY, (item) => readText(asObject(item, 'messages'), 'role'))
  return fields as unknown as ChatJob
}

export function parseChatJob(text: string): ChatJob {
  try {
    return readChatJob(asObject(JSON.parse(text), 'request'))
  } catch (error) {
    throw error instanceof ProtocolError ? error : new ProtocolError('a request in parts is JSON')
  }
}
