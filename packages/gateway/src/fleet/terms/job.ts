// A job, in the words that front, hub and scheduler share, and the shapes that gateways believe. Times are milliseconds on a clock that only moves
// forward; between gateways they are lengths, because their clocks differ.

import { MAX_NAME_LENGTH, MAX_SEAL_KEYS, REQUEST_ID, TRACEPARENT, type ClientIds, type Feature } from '@hearth/protocol'
import { z } from 'zod'

export type Ms = number

/** IDs, names and reasons. */
export const shortText = z.string().max(MAX_NAME_LENGTH)
export const wholeNumber = z.int().nonnegative()
/** Times and tokens: both may be estimates. */
export const amount = z.number()
/** Nobody changes a list that was said. */
export const listOf = <Item>(item: z.ZodType<Item>, most = Number.POSITIVE_INFINITY) =>
  z.array(item).max(most) as z.ZodType<readonly Item[]>
/** A job avoids few devices: each cost it an attempt. */
const MOST_DEVICES_OF_JOB = 1_000
const devices = listOf(shortText, MOST_DEVICES_OF_JOB).optional()

/** What the client calls its request, if it said. */
export const client = z
  .object({ requestId: z.string().regex(REQUEST_ID).optional(), traceparent: z.string().regex(TRACEPARENT).optional() })
  .optional() as z.ZodType as z.ZodType<ClientIds | undefined>

/** A valid request for an enabled model. */
const ticket = z.object({
  job: shortText,
  client: client.optional(),
  organization: shortText,
  key: shortText,
  model: shortText,
  features: listOf(shortText as z.ZodType<string> as z.ZodType<Feature>),
  /** The only devices that can open the request; undefined if it is not sealed. */
  sealedFor: listOf(shortText, MAX_SEAL_KEYS).optional(),
  /** A whole reply: nothing is delivered before the end, so the job can be run again at any time. */
  rerunnable: z.boolean(),
  /** Expected tokens, of the prompt and the answer. */
  cost: amount,
  answerLimit: wholeNumber.optional(),
  promptSize: wholeNumber,
  prefixes: listOf(z.object({ hash: z.number(), size: wholeNumber })),
})
export type Ticket = z.infer<typeof ticket>
/** Of a sealed job. */
export type SealedTicket = Ticket & { readonly sealedFor: readonly string[] }

/** The file and the context length that the tokens of a reply depend on. */
const file = z.object({ digest: shortText, contextLength: wholeNumber })
export type ModelFile = z.infer<typeof file>

/** What a job wants of the scheduler of its organization: never with the prompt. */
export const slotRequest = z.object({
  ticket,
  /**
   * `slot`: any that suits it. `second`: beside one whose device doesn't answer, on a device that has the model and answers. `move`: right now
   * and elsewhere, or not at all.
   */
  want: z.enum(['slot', 'second', 'move']),
  /** It was never in line before. */
  isFirst: z.boolean(),
  ageMs: amount,
  /** How long it waits for a slot. */
  waitMs: amount,
  /** The file that drew the part of the reply that is to be continued; undefined if there is none. */
  begun: file.optional(),
  /** The client has that part, so the reply can't start over. */
  mustContinue: z.boolean(),
  /** Devices that lost or failed it, or answered late: others are preferred. */
  avoided: devices,
  /** Devices that said they can't do it. */
  excluded: devices,
})
export type SlotRequest = z.infer<typeof slotRequest>

/** A slot of a device that a job may take. */
export const lease = z.object({
  /** Of no other lease. */
  lease: wholeNumber,
  job: shortText,
  want: slotRequest.shape.want,
  device: shortText,
  epoch: wholeNumber,
  /** Of the hub's report that it is based on. The hub rejects a lease that it has not heard of when it reports anew. */
  edition: wholeNumber,
  /** The gateway that the device is connected to. */
  hub: shortText,
  /** Whose tokens the device can report; undefined if it can't. */
  file: file.optional(),
  /** The reply is continued; otherwise it starts over. */
  isContinued: z.boolean(),
  /** The device has not answered the last offer in the usual time. */
  isLate: z.boolean(),
  /** How long the job may wait for the device to accept, if that is less than it wanted. */
  waitMs: amount.optional(),
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: amount.optional(),
})
export type Lease = z.infer<typeof lease>

/** The front is done with a lease. */
export const settlement = z.object({
  key: shortText,
  model: shortText,
  /** Tokens that count for the key; 0 if the job goes on. */
  tokens: amount,
  /**
   * The slot is free: the device has `ended` the job, has `failed` it, has `refused` it and takes none for now, no hub has seen the lease
   * (`unused`), its hub can't be reached (`unreachable`), or the device's link is gone (`lost`), which its hub may not have said yet. Or it
   * is free when its hub says so: the device has to stop (`stopping`), or doesn't answer (`silent`).
   */
  kind: z.enum(['ended', 'failed', 'refused', 'unused', 'unreachable', 'lost', 'stopping', 'silent']),
  /** Of an attempt that brought an event. */
  measured: z
    .object({
      /** From the offer, or from when the model was loaded, to the first event. */
      readMs: amount,
      /** From the first event to the end. */
      answerMs: amount,
      /** Delivered by this attempt, if the job ended with it. */
      tokens: amount.optional(),
    })
    .optional(),
})
export type Settlement = z.infer<typeof settlement>

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
