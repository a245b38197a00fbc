// A client that seals requests for devices, and opens their frames as a client of the API would see them.

import {
  jobNeeds,
  readDeviceFrame,
  type BegunAttempt,
  type ChatJob,
  type DeviceFrame,
  type SealedRequest,
} from '@hearth/protocol'
import { EventOpener, sealJob, type AgreementKey, type OpenedEvent, type SealedHeader } from '@hearth/sealing'
import { exampleHeader } from '@hearth/sealing/testing/examples'

export interface SealedFor {
  id: string
  key: AgreementKey
}

type Changes = Partial<SealedHeader>

export class SealedClient {
  readonly #devices: readonly SealedFor[]
  readonly #now: () => number
  /** By the gateway's name for the job. */
  readonly #openers = new Map<string, EventOpener>()
  readonly #sealed = new Map<string, SealedRequest>()

  constructor(devices: readonly SealedFor[], now: () => number) {
    this.#devices = devices
    this.#now = now
  }

  /** The same request again for every attempt of a job. */
  async seal(name: string, job: ChatJob, changes: Changes = {}): Promise<SealedRequest> {
    const known = this.#sealed.get(name)
    if (known !== undefined) return known
    const { recovery, ...plain } = job
    const devices = this.#devices.map(({ id, key }) => ({ id, key: key.publicKey }))
    const header = headerOf(plain, this.#now(), changes)
    const { body, contentKey } = await sealJob({ header, job: JSON.stringify(plain), devices })
    this.#openers.set(name, new EventOpener(contentKey))
    const sealed = { ...body, keys: [...body.keys] }
    const request = { sealed, model: job.model, ...(recovery && { recovery: {} }) }
    this.#sealed.set(name, request)
    return request
  }

  /** The gateway says that the next attempt answers from the beginning. */
  restart(name: string): void {
    this.#openers.get(name)?.restart()
  }

  /** The frame that a device would have sent for a request in the clear. Throws if a box doesn't open. */
  open(frame: DeviceFrame): DeviceFrame {
    const opener = 'job' in frame ? this.#openers.get(frame.job) : undefined
    if (opener === undefined) return frame
    if (frame.type === 'job-sealed') return replace(frame, opener.open(frame))
    if (frame.type === 'job-end') return replace(frame, opener.open({ ...frame, box: frame.box ?? '' }))
    if (frame.type === 'job-error' && frame.box !== undefined)
      return replace(frame, opener.openError({ ...frame, box: frame.box }))
    return frame
  }
}

/** The boxes of a reply so far, as a gateway hands them to the next device. */
export function begunOf(frames: readonly DeviceFrame[]): BegunAttempt[] {
  const begun = new Map<number, string[]>()
  for (const frame of frames)
    if (frame.type === 'job-sealed') begun.set(frame.attempt, [...(begun.get(frame.attempt) ?? []), frame.box])
  return [...begun].map(([attempt, boxes]) => ({ attempt, boxes }))
}

function headerOf(job: ChatJob, sealedAt: number, changes: Changes): SealedHeader {
  const id = crypto.getRandomValues(Buffer.alloc(16)).toString('base64url')
  const { features = [...jobNeeds(job).map(({ feature }) => feature), 'sealed'] } = changes
  return exampleHeader({ id, sealedAt, model: job.model, choices: job.n ?? 1, ...changes, features })
}

function replace(frame: DeviceFrame & { job: string; attempt: number }, event: OpenedEvent): DeviceFrame {
  if (event.kind === 'rejected') throw new Error(`A ${frame.type} doesn't open: ${event.reason}`)
  const { job, attempt } = frame
  const place = 'sequence' in frame ? { sequence: frame.sequence } : {}
  const opened = readDeviceFrame({ ...JSON.parse(event.plain.toString()), job, attempt, ...place })
  if (opened === undefined) throw new Error('A box must have a frame')
  return opened
}
