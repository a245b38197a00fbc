// The beginning of a sealed reply, as other devices wrote it. This device opens it itself, because
// the gateway that keeps it can't.

import { ProtocolError, readDeviceFrame, ReplyRecord, type ChatJob, type SealedRequest } from '@hearth/protocol'
import { openBegun, type Transcript } from '@hearth/sealing'
import { asFields } from '@hearth/sealing/fields'
import type { OpenedRequest } from './open-request.ts'
import type { SealProblem } from './rejection.ts'

interface Beginning {
  /** As the gateway would ask for it, if it could read. */
  recovery: Pick<ChatJob, 'recovery'>
  /** Binds the rest of the reply to this beginning. */
  transcript: Transcript
}

export function openBeginning({ recovery }: SealedRequest, opened: OpenedRequest): Beginning | SealProblem {
  const { contentKey, header } = opened
  const begun = openBegun(contentKey, recovery?.begun ?? [])
  if (begun.kind === 'rejected') return begun.reason === 'too-large' ? 'begun-too-long' : 'begun-not-opened'
  const { attempts, transcript } = begun
  if (recovery === undefined) return { recovery: {}, transcript }
  const record = readRecord(attempts.flatMap(({ plains }) => plains))
  if (record === undefined) return 'begun-not-opened'
  if (!record.isComplete) return 'begun-too-long'
  const choices = record.choices(header.choices)
  return { recovery: { recovery: { bareId: true, ...(choices !== undefined && { choices }) } }, transcript }
}

/** Undefined if one of them is no event: the device that sealed it is another one, and may be broken. */
function readRecord(events: readonly Uint8Array[]): ReplyRecord | undefined {
  const record = new ReplyRecord()
  try {
    for (const event of events) note(record, JSON.parse(Buffer.from(event).toString()))
    return record
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function note(record: ReplyRecord, event: unknown): void {
  const frame = readDeviceFrame({ ...asFields(event), job: '', attempt: 0, sequence: 0 })
  if (frame?.type === 'job-delta') record.addText(frame)
  else if (frame?.type === 'job-calls') record.addCalls(frame.choice)
}
