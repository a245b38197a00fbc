// A device's part of sealed requests, straight from the format: opens a job, and seals the frames of its reply.

import type { ContentKey } from '../box/derive-key.ts'
import { EventSealer } from '../events/event-sealer.ts'
import { EMPTY_TRANSCRIPT, type Transcript } from '../events/transcript.ts'
import { openJob, type JobToOpen, type OpenedJob } from '../job/open-job.ts'

/** Throws if it doesn't open. Takes a job as often as it comes, however old it is. */
export async function openOnDevice(job: JobToOpen): Promise<Extract<OpenedJob, { kind: 'opened' }>> {
  const opened = await openJob(job)
  if (opened.kind === 'rejected') throw new Error(`Cannot open a sealed job: ${opened.reason}`)
  return opened
}

/** A frame of a reply, as the gateway passes it on. */
export type SealedFrame = Readonly<{ attempt: number; sequence: number; box: string }>

/** Seals the frames of one attempt. */
export class FrameSealer {
  readonly #attempt: number
  readonly #sealer: EventSealer

  constructor(contentKey: ContentKey, attempt: number, transcript: Transcript = EMPTY_TRANSCRIPT) {
    this.#attempt = attempt
    this.#sealer = new EventSealer(contentKey, attempt, transcript)
  }

  seal(frame: object): SealedFrame {
    const { sequence } = this.#sealer
    return { attempt: this.#attempt, sequence, box: this.#sealer.seal(asBytes(frame)).toString('base64') }
  }

  sealError(frame: object): Omit<SealedFrame, 'sequence'> {
    return { attempt: this.#attempt, box: this.#sealer.sealError(asBytes(frame)).toString('base64') }
  }
}

function asBytes(frame: object): Buffer {
  return Buffer.from(JSON.stringify(frame))
}
