// A job, in the words that front, home and scheduler share. Times are milliseconds on a clock that only moves forward.

import type { JobSize } from '@hearth/chat'
import type { ClientIds, Feature } from '@hearth/protocol'

export type Ms = number

/** A valid request for an enabled model. */
export interface Ticket extends JobSize {
  job: string
  /** What the client calls its request, if it said. */
  client?: ClientIds | undefined
  organization: string
  key: string
  model: string
  features: readonly Feature[]
  /** The only devices that can open the request; undefined if it is not sealed. */
  sealedFor?: readonly string[]
  /** A whole reply: nothing is delivered before the end, so the job can be run again at any time. */
  rerunnable: boolean
}

/** Of a sealed job. */
export interface SealedTicket extends Ticket {
  sealedFor: readonly string[]
}

/** What a job wants of the lessor of its organization. Times are lengths, because gateways have different clocks. */
export interface Ask {
  ticket: Ticket
  /**
   * `slot`: any that suits it. `second`: beside one whose device doesn't answer, on a device that has the model and answers. `move`: right now
   * and elsewhere, or not at all.
   */
  want: 'slot' | 'second' | 'move'
  /** It was never in line before. */
  isFirst: boolean
  ageMs: Ms
  /** How long it waits for a slot. */
  waitMs: Ms
  /** The file that drew the part of the reply that is to be continued; undefined if there is none. */
  begun: ModelFile | undefined
  /** The client has that part, so the reply can't start over. */
  mustContinue: boolean
  /** Devices that lost or failed it, or answered late: others are preferred. */
  avoided: readonly string[] | undefined
  /** Devices that said they can't do it. */
  excluded: readonly string[] | undefined
}

/** A slot of a device that a job may take. */
export interface Lease {
  /** Of no other lease. */
  lease: number
  job: string
  want: Ask['want']
  device: string
  epoch: number
  /** Of the home's statement that it is based on. The home rejects a lease that it has not heard of when it states anew. */
  edition: number
  /** The gateway that the device is connected to. */
  home: string
  /** Whose tokens the device can report; undefined if it can't. */
  file: ModelFile | undefined
  /** The reply is continued; otherwise it starts over. */
  isContinued: boolean
  /** The device has not answered the last offer in the usual time. */
  isLate: boolean
  /** How long the job may wait for the device to accept, if that is less than it wanted. */
  waitMs: Ms | undefined
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: Ms | undefined
}

/** The front is done with a lease. */
export interface Settlement {
  key: string
  model: string
  /** Tokens that count for the key; 0 if the job goes on. */
  tokens: number
  /**
   * The slot is free: the device has `ended` the job, has `failed` it, has `refused` it and takes none for now, no home has seen the lease
   * (`unused`), its home can't be reached (`unreachable`), or the device's link is gone (`lost`), which its home may not have said yet. Or it
   * is free when its home says so: the device has to stop (`stopping`), or doesn't answer (`silent`).
   */
  kind: 'ended' | 'failed' | 'refused' | 'unused' | 'unreachable' | 'lost' | 'stopping' | 'silent'
  /** Of an attempt that brought an event. */
  measured: Measured | undefined
}

export interface Measured {
  /** From the offer, or from when the model was loaded, to the first event. */
  readMs: Ms
  /** From when the device accepted the job and had the model, to the first event. */
  promptMs: Ms
  /** From the first event to the end. */
  answerMs: Ms
  /** Delivered by this attempt, if the job ended with it. */
  tokens: number | undefined
}

/** The file and the context length that the tokens of a reply depend on. */
export interface ModelFile {
  readonly digest: string
  readonly contextLength: number
}

/** Another device continued the reply; the last time, if it happened more than once. */
export interface TakeOver {
  /** The device that wrote the part before. */
  readonly left: string
  /** From the last event of that device to the first of the next one. */
  readonly gapMs: Ms
}

/** Tokens that a job used. */
export interface TokenCount {
  readonly prompt: number
  /** All choices together. */
  readonly completion: number
}
