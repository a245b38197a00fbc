// The only place that turns frames into text and text into frames. Parsed frames are well-formed
// down to the last field of a job, so no code behind this checks them again.

import type { BegunChoice, Recovery } from '../job/chat-job.ts'
import type { BegunAttempt, SealedRecovery } from '../job/sealed-request.ts'
import { type DeviceFrame, type GatewayFrame, type JobStartHead, GATEWAY_FRAMES, type JobStart } from './frames.ts'
import { readDeviceFrame } from './read-device-frame.ts'
import { asCount, asObject, asText, isAbsent, isObject, parseJson, ProtocolError, type Fields } from '../read-fields.ts'
import { MAX_JOB_PARTS } from '../limits.ts'
import { clientIds } from '../job/client-ids.ts'
import { readJobRequest } from '../job/read-chat-job.ts'
import { framesOf } from '../shapes.ts'

export function encodeFrame(frame: DeviceFrame | GatewayFrame): string {
  return JSON.stringify(frame)
}

/** A job-start whose request is JSON text already: a job is serialized once, however often it is tried. */
export function encodeJobStart(head: JobStartHead, rest: { request: string } | { parts: number }): string {
  const { job, attempt, organization, client } = head
  const open = `{"type":"job-start","job":${JSON.stringify(job)},"attempt":${attempt},"organization":${JSON.stringify(organization)}`
  const named = client === undefined ? open : `${open},"client":${JSON.stringify(client)}`
  return 'parts' in rest ? `${named},"parts":${rest.parts}}` : `${named},"request":${rest.request}}`
}

/** A request that asks its device to report tokens, and to continue what `choices` began. */
export function addRecovery(request: string, choices: BegunChoice[] | undefined): string {
  const recovery: Recovery | undefined = choices && { bareId: true, choices }
  return `${request.slice(0, -1)},"recovery":${recovery === undefined ? '{"bareId":true}' : JSON.stringify(recovery)}}`
}

/** The same for a sealed request, with the boxes that the client already has. */
export function addBegun(request: string, begun: BegunAttempt[] | undefined): string {
  const recovery: SealedRecovery = begun === undefined ? {} : { begun }
  return `${request.slice(0, -1)},"recovery":${JSON.stringify(recovery)}}`
}

/**
 * Frames that were ready at the same moment, as one message. Takes frames already encoded, so that
 * each is serialized once.
 */
export function joinFrames(encoded: readonly string[]): string {
  return encoded.length === 1 ? encoded.join('') : `[${encoded.join(',')}]`
}

/**
 * Calls `visit` for each known frame of a message from a device, in order. Throws ProtocolError at
 * the first malformed one.
 */
export function parseDeviceFrames(message: string, visit: (frame: DeviceFrame) => void): void {
  parseFrames(message, readDeviceFrame, visit)
}

export function parseGatewayFrames(message: string, visit: (frame: GatewayFrame) => void): void {
  parseFrames(message, readGatewayFrame, visit)
}

function parseFrames<Frame>(
  message: string,
  read: (fields: Fields) => Frame | undefined,
  visit: (frame: Frame) => void,
): void {
  const value = parseJson(message, 'a message')
  if (!Array.isArray(value)) return parseOne(value, read, visit)
  for (const item of value) parseOne(item, read, visit)
}

function parseOne<Frame>(
  value: unknown,
  read: (fields: Fields) => Frame | undefined,
  visit: (frame: Frame) => void,
): void {
  if (!isObject(value)) throw new ProtocolError('a frame must be an object')
  const frame = read(value)
  if (frame !== undefined) visit(frame)
}

const readOther = framesOf(GATEWAY_FRAMES)

/** Undefined for a frame type newer than this reader. */
function readGatewayFrame(fields: Fields): GatewayFrame | undefined {
  return fields['type'] === 'job-start' ? readStart(fields) : readOther(fields)
}

function readStart(fields: Fields): JobStart {
  const head = {
    type: 'job-start',
    job: asText(fields['job'], 'job'),
    attempt: asCount(fields['attempt'], 'attempt'),
    organization: asText(fields['organization'], 'organization'),
    ...(!isAbsent(fields['client']) && { client: clientIds(fields['client'], 'client') }),
  } as const
  if (isAbsent(fields['request']) === isAbsent(fields['parts']))
    throw new ProtocolError('a "job-start" must have either a "request" or "parts"')
  if (isAbsent(fields['parts'])) return { ...head, request: readJobRequest(asObject(fields['request'], 'request')) }
  const parts = asCount(fields['parts'], 'parts', MAX_JOB_PARTS)
  if (parts === 0) throw new ProtocolError('"parts" must be at least 1')
  return { ...head, parts }
}
