// Frames that come from the gateway.

import type { CancelReason, GatewayFrame, JobAttempt, JobStart } from './frames.ts'
import { MAX_JOB_PARTS } from '../limits.ts'
import { readModelDefaults } from '../device/model-defaults.ts'
import { readJobRequest } from '../job/read-job-request.ts'
import {
  ProtocolError,
  isAbsent,
  readCount,
  readObject,
  readText,
  readWord,
  skipUnknown,
  type Fields,
} from '../read-fields.ts'
import { readModelRequest } from '../device/read-library.ts'
import { readPieceWanted } from '../device/sharing.ts'

const CANCEL_REASONS: readonly CancelReason[] = [
  'client-gone',
  'client-stalled',
  'timed-out',
  'revoked',
  'shutdown',
  'superseded',
]

/** Undefined for a frame type newer than this reader. */
export function readGatewayFrame(fields: Fields): GatewayFrame | undefined {
  switch (fields['type']) {
    case 'ping':
      return { type: 'ping' }
    case 'welcome':
      return readWelcome(fields)
    case 'restarting':
      return { type: 'restarting', reconnectInMs: readCount(fields, 'reconnectInMs') }
    case 'notice':
      return { type: 'notice', text: readText(fields, 'text') }
    case 'defaults':
      return {
        type: 'defaults',
        model: readText(fields, 'model'),
        defaults: readModelDefaults(fields, 'defaults'),
      }
    case 'model-look-up':
    case 'model-fetch':
    case 'model-pause':
    case 'model-cancel':
    case 'model-remove':
    case 'model-unblock':
      return readModelRequest(fields['type'], fields)
    case 'piece-wanted':
      return readPieceWanted(fields)
    default:
      return readJobFrame(fields)
  }
}

function readJobFrame(fields: Fields): GatewayFrame | undefined {
  switch (fields['type']) {
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
    default:
      return skipUnknown(fields)
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

function readStart(fields: Fields): JobStart {
  const head = { type: 'job-start', ...readAttempt(fields), organization: readText(fields, 'organization') } as const
  if (isAbsent(fields['request']) === isAbsent(fields['parts']))
    throw new ProtocolError('a "job-start" must have either a "request" or "parts"')
  if (isAbsent(fields['parts'])) return { ...head, request: readJobRequest(readObject(fields, 'request')) }
  const parts = readCount(fields, 'parts', MAX_JOB_PARTS)
  if (parts === 0) throw new ProtocolError('"parts" must be at least 1')
  return { ...head, parts }
}
