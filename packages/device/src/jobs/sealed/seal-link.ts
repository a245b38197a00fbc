// The link as a sealed job sees it: everything that the model wrote leaves in boxes that only the client can open. Phases, counts and codes
// stay in the clear, because the gateway needs them.

import { MAX_BOX_LENGTH, type DeviceFrame, type JobEnd, type JobError, type JobErrorCode } from '@hearth/protocol'
import type { EventSealer } from '@hearth/sealing'
import { EngineError } from '../../engines/engine.ts'
import type { OpenLink } from '../../link/run-link.ts'

type EventFrame = Extract<DeviceFrame, { choice: number }>

/** As long as the gateway would cut it. */
const MAX_MESSAGE_LENGTH = 2_048

/** In place of messages that may quote the request, such as the name of a schema. */
const CLEAR_MESSAGES: Readonly<Record<Exclude<JobErrorCode, 'seal_rejected'>, string>> = {
  context_length_exceeded: "The request is longer than the model's context",
  invalid_json_schema: "The device can't enforce the JSON schema of the request",
  invalid_function_parameters: "The device can't enforce the parameters of a function of the request",
  invalid_value: 'The model rejects a value of the request',
  failed: "The device couldn't answer the request",
}

export function sealLink(link: OpenLink, sealer: EventSealer): OpenLink {
  return { ...link, send: (frame) => link.send(sealFrame(frame, sealer)) }
}

/** Every type has its line, so that nobody adds one with content that leaves in the clear. */
function sealFrame(frame: DeviceFrame, sealer: EventSealer): DeviceFrame {
  switch (frame.type) {
    case 'job-delta':
    case 'job-calls':
    case 'job-annotations':
      return sealEvent(frame, sealer)
    case 'job-end':
      return sealEnd(frame, sealer)
    case 'job-error':
      return sealError(frame, sealer)
    case 'job-accept':
    case 'job-refuse':
    case 'job-progress':
    case 'job-cancelled':
    case 'job-hand-over':
      return frame
    case 'job-sealed':
    case 'hello':
    case 'models':
    case 'downloads':
    case 'backend':
    case 'rest':
    case 'energy':
    case 'library':
    case 'shared':
    case 'model-reply':
    case 'pong':
    case 'drain':
      throw new Error(`A job must not send a "${frame.type}"`)
    default:
      return frame satisfies never
  }
}

/** Throws EngineError if the link can't carry the box. Only whole tool calls and citations can be as large as that. */
function sealEvent({ job, attempt, sequence, ...content }: EventFrame, sealer: EventSealer): DeviceFrame {
  const box = sealer.seal(toBytes(content)).toString('base64')
  if (box.length > MAX_BOX_LENGTH) throw new EngineError('failed', 'A part of the reply is too long to be sealed')
  const tokens = content.type === 'job-delta' ? content.tokens : undefined
  return { type: 'job-sealed', job, attempt, sequence, ...(tokens !== undefined && { tokens }), box }
}

function sealEnd({ job, attempt, sequence, ...content }: JobEnd, sealer: EventSealer): DeviceFrame {
  const { type, finishes, usage } = content
  return {
    type,
    job,
    attempt,
    sequence,
    finishes: finishes.map(() => 'stop'),
    ...(usage !== undefined && { usage }),
    box: sealer.seal(toBytes(content)).toString('base64'),
  }
}

function sealError({ job, attempt, ...content }: JobError, sealer: EventSealer): DeviceFrame {
  const { type, code, message, retryable, crashed } = content
  // Its message is about the seal, and the client may have no key that opens a box.
  if (code === 'seal_rejected') return { job, attempt, ...content }
  const shortened = { ...content, message: message.slice(0, MAX_MESSAGE_LENGTH) }
  return {
    type,
    job,
    attempt,
    code,
    message: CLEAR_MESSAGES[code],
    retryable,
    crashed,
    box: sealer.sealError(toBytes(shortened)).toString('base64'),
  }
}

function toBytes(content: object): Buffer {
  return Buffer.from(JSON.stringify(content))
}
