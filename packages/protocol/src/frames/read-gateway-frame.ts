// Frames that come from the gateway.

import { MAX_JOB_PARTS } from '../limits.ts'
import { clientIds } from '../job/client-ids.ts'
import { readJobRequest } from '../job/read-job-request.ts'
import { isAbsent, ProtocolError, readCount, readObject, readText, type Fields } from '../read-fields.ts'
import { framesOf } from '../shapes.ts'
import { GATEWAY_FRAMES, type GatewayFrame, type JobStart } from './frames.ts'

const readOther = framesOf(GATEWAY_FRAMES)

/** Undefined for a frame type newer than this reader. */
export function readGatewayFrame(fields: Fields): GatewayFrame | undefined {
  return fields['type'] === 'job-start' ? readStart(fields) : readOther(fields)
}

function readStart(fields: Fields): JobStart {
  const head = {
    type: 'job-start',
    job: readText(fields, 'job'),
    attempt: readCount(fields, 'attempt'),
    organization: readText(fields, 'organization'),
    ...(!isAbsent(fields['client']) && { client: clientIds(fields['client'], 'client') }),
  } as const
  if (isAbsent(fields['request']) === isAbsent(fields['parts']))
    throw new ProtocolError('a "job-start" must have either a "request" or "parts"')
  if (isAbsent(fields['parts'])) return { ...head, request: readJobRequest(readObject(fields, 'request')) }
  const parts = readCount(fields, 'parts', MAX_JOB_PARTS)
  if (parts === 0) throw new ProtocolError('"parts" must be at least 1')
  return { ...head, parts }
}
