// Everything that gateways say to each other. A gateway has the jobs that came in there (`jobs/`), is the home of the devices that are
// connected there (`devices/`), and leases the slots of some organizations (`slots/`). To itself it says it by a call; to another gateway,
// over a peer link.
//
// A job        jobs → lessor      ask, withdraw            a slot is wanted, or no longer; never the prompt
//              lessor → jobs      lease                    a slot of a device, and the gateway that is its home
//              lessor → jobs      decline                  there is none for this job
//              jobs → home        start                    with the request and the lease
//              home → jobs        job frames, as they came; attempt-lost when the device's link is gone
//              jobs → home        tell                     job-cancel, job-pause, job-resume
//              jobs → lessor      answered, late           the device has accepted the job, or takes long
//              jobs → lessor      settled                  the front is done with the lease: what it took, and whether another is wanted
// Devices      home → lessor      device, device-down      what a device offers and which leases take its slots
//              home → lessor      freed                    the slot of a lease is free
//              lessor → home      state-wanted             say again which slots are taken: leases that are on their way are void
//              lessor → home      superseded               the device has a newer link elsewhere
//              lessor → home      in-use, contested        another machine has the device's credential: reject this one, or tell it
//              lessor → all       served                   the models of an organization that take jobs
// Moving       all → lessor       stating, stated          what waits and which slots are taken follows, and was all
// Console      question, answer, watch, unwatch, changed

import type { CancelReason, ClientIds, DeviceModel, JobAttempt } from '@hearth/protocol'
import type { Failed } from '@hearth/chat'
import type { FleetChange, FleetDevice } from './fleet-view.ts'
import type { JobFrame } from './job-frame.ts'
import type { ModelAnswer, ModelAsk } from './model-ask.ts'
import type { Ask, Lease, Settlement } from './job.ts'
import type { FrontWaitingJob, WaitingJob } from './waiting-job.ts'

/** Gateways that use another version are left out. Change it when a message changes in a way that older gateways misread. */
export const MESSAGES_VERSION = '5'

export type Message = JobFrame | RoleMessage

export type RoleMessage =
  | DeskMessage
  | ({ type: 'lease'; organization: string } & Lease)
  | { type: 'decline'; organization: string; job: string; outcome: Declined }
  | { type: 'start'; start: Start; request: string }
  | { type: 'tell'; device: string; epoch: number; frame: JobOrder }
  /** The device's link is gone: the device had the attempt, or never got it. */
  | ({ type: 'attempt-lost'; wasSent: boolean } & JobAttempt)
  | { type: 'state-wanted'; device: string; epoch: number }
  | { type: 'superseded'; device: string; epoch: number }
  | { type: 'in-use'; device: string; epoch: number }
  | { type: 'contested'; device: string; epoch: number; address: string }
  | { type: 'served'; organization: string; models: readonly string[] }
  /** As of this view, which the lessor may not have heard of yet. */
  | { type: 'stating'; generation: number }
  | { type: 'stated'; generation: number }
  | { type: 'question'; id: number; question: Question }
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'watch'; organization: string }
  | { type: 'unwatch'; organization: string }
  | { type: 'changed'; organization: string; change: FleetChange }

/** For the desk of one organization. */
export type DeskMessage =
  | { type: 'ask'; organization: string; ask: Ask }
  | { type: 'withdraw'; organization: string; job: string }
  | ({ type: 'answered'; organization: string } & LeaseOf)
  | { type: 'late'; organization: string; leases: readonly LeaseOf[] }
  /** With `again`, the job wants another slot. */
  | ({ type: 'settled'; organization: string; settlement: Settlement; again?: Ask | undefined } & LeaseOf)
  | { type: 'device'; organization: string; device: DeviceStatement }
  | { type: 'device-down'; organization: string; device: string; epoch: number }
  | ({ type: 'freed'; organization: string } & LeaseOf)

/** A lease, and the device that it is for. */
export interface LeaseOf {
  device: string
  lease: number
}

/** `no-device`: its time is over. */
export type Declined = Extract<Failed, { kind: 'unsupported' | 'queue-full' | 'no-device' }>

/** One attempt of a job on a leased slot. */
export interface Start extends JobAttempt, Pick<Lease, 'lease' | 'device' | 'epoch' | 'edition'> {
  organization: string
  model: string
  client?: ClientIds | undefined
}

export type JobOrder = JobAttempt &
  ({ type: 'job-cancel'; reason: CancelReason } | { type: 'job-pause' } | { type: 'job-resume' })

/** A device as its home knows it. */
export interface DeviceStatement {
  device: string
  epoch: number
  /** Grows when the home states anew: leases that are not in `taken` and based on an earlier edition are void. */
  edition: number
  /** Of the device app: one for each start. */
  boot: string
  address: string
  /** None while it is paused. */
  models: readonly DeviceModel[]
  isDraining: boolean
  taken: readonly { lease: number; model: string }[]
}

export type Question =
  /** With `after`, a page of it: the devices with higher ids than this. Without, all at once. */
  | { kind: 'view'; organization: string; after?: string }
  | { kind: 'waiting'; key: string }
  | { kind: 'ask-model'; organization: string; device: string; ask: ModelAsk }

export type Answer =
  | { kind: 'view'; view: ViewPart }
  | { kind: 'waiting'; jobs: readonly FrontWaitingJob[]; forecasts: readonly JobForecast[] }
  | { kind: 'ask-model'; answer: ModelAnswer }

/** From the lessor of the job's organization. */
export type JobForecast = Pick<WaitingJob, 'job' | 'place' | 'firstEventMs'>

/** One gateway's part of the view of an organization. */
export interface ViewPart {
  /** The last device of a page that is followed by another. */
  next?: string
  devices: readonly { epoch: number; device: FleetDevice }[]
  queued: readonly (readonly [model: string, jobs: number])[]
  running: readonly { device: string; model: string; leases: number }[]
}
