// Everything that one gateway says to another. A gateway has three roles: front of the requests that came in here, home of the devices that
// are connected here, owner of the organizations it schedules.
//
// A job        front → owner   submit                       what the scheduler has to know; never the prompt
//              owner → front   grant                        one attempt on one device, and the gateway that is its home
//              front → home    start                        with the request
//              home → front    job frames, as they came; attempt-lost when the device's link is gone
//              front → owner   report                       the front judges frames: it alone says what was delivered, in order
//              owner → front   stop                         give this attempt up
//              owner → front   finish                       the job has failed; a front ends replies and canceled jobs by itself
//              front → owner   cancel                       the front is done with the job
//              owner → front   restate-wanted               a report came after the owner had given the attempt up
//              front → owner   restate                      the owner decided by old news: this is how things are
//              front → home    tell                         job-cancel, job-pause, job-resume
// Devices      home → owner    device, device-down          what a device offers, whenever that changes
//              owner → home    released-wanted              does the device still work on this attempt?
//              home → owner    released                     no, or not any more; also for an attempt whose front is gone
//              owner → home    superseded                   the device has a newer link elsewhere
//              owner → home    in-use, contested            another machine has the device's credential: refuse this one, or tell it
//              owner → all     served                       the models of an organization that take jobs
// Hand-over    all → owner     statement, stated            all that runs and waits, for an owner that doesn't know it, and the end of that list
// Console      ask, answer, watch, unwatch, changed, model-closed

import type { DeviceModel, JobAttempt } from '@hearth/protocol'
import type { JobFrame } from '../home/link.ts'
import type { ModelAnswer, ModelAsk } from '../home/model-requests.ts'
import type { Outlook } from '../scheduler/core/scheduler-core.ts'
import type {
  CancelReason,
  Delivered,
  Failure,
  RefuseReason,
  Reporter,
  Ticket,
  TokenCount,
} from '../scheduler/core/types.ts'
import type { Failed, FleetChange, FleetDevice, WaitingJob } from '../fleet.ts'
import type { JobStatement } from '../scheduler/job-statement.ts'

/** Gateways that use another version are left out. Change it when a message changes in a way that older gateways misread. */
export const MESSAGES_VERSION = '3'

export type Message = JobFrame | RoleMessage

export type RoleMessage =
  | DeskMessage
  | { type: 'grant'; organization: string; to: Reporter; home: string; outlook: Outlook; edition: number }
  | { type: 'stop'; of: Reporter; reason: CancelReason }
  | { type: 'finish'; organization: string; job: string; outcome: Failed }
  | { type: 'restate-wanted'; job: string }
  | { type: 'start'; of: Reporter; model: string; request: string }
  | { type: 'tell'; of: Reporter; frame: JobOrder }
  | ({ type: 'attempt-lost' } & JobAttempt)
  | { type: 'released-wanted'; of: Reporter }
  | { type: 'superseded'; device: string; epoch: number }
  | { type: 'in-use'; device: string; epoch: number }
  | { type: 'contested'; device: string; epoch: number; address: string }
  | { type: 'served'; organization: string; models: readonly string[] }
  /** As of this view, which the owner may not have heard of yet. */
  | { type: 'statement'; generation: number; statement: Statement }
  /** After all that there is to say to an owner if it `isAll`, or else after what is new to it. */
  | { type: 'stated'; generation: number; isAll: boolean }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'watch'; organization: string }
  | { type: 'unwatch'; organization: string }
  | { type: 'changed'; organization: string; change: FleetChange }

/** For the scheduler of one organization. */
export type DeskMessage =
  | { type: 'submit'; organization: string; ticket: Ticket; requestBytes: number }
  | { type: 'cancel'; organization: string; job: string; reason: CancelReason }
  | { type: 'report'; organization: string; from: Reporter; report: Report }
  | { type: 'restate'; organization: string; job: JobStatement }
  | { type: 'device'; organization: string; device: DeviceStatement }
  | { type: 'device-down'; organization: string; device: string; epoch: number }
  | { type: 'released'; organization: string; from: Reporter }
  | { type: 'model-closed'; organization: string; model: string }

/** What a front says about an attempt. */
export type Report =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: RefuseReason }
  | { kind: 'loading' }
  | { kind: 'progress'; promptTokens: number | undefined }
  | { kind: 'delivered'; delivered: Delivered }
  | { kind: 'ended'; delivered: Delivered; tokens: TokenCount | undefined }
  | { kind: 'failed'; failure: Failure }
  /** The owner of the device wants it back. */
  | { kind: 'hand-over' }
  /** The device sent nonsense, or nothing more can come from its home: it may still work on the attempt. */
  | { kind: 'faulted' }
  /** The device no longer works on the attempt. */
  | { kind: 'over' }
  /** The reply is too long to be continued. */
  | { kind: 'unrecordable' }
  /** The front doesn't have the job any more, and has started nothing. */
  | { kind: 'unknown' }

export type JobOrder = JobAttempt &
  ({ type: 'job-cancel'; reason: CancelReason } | { type: 'job-pause' } | { type: 'job-resume' })

/** A device as its home knows it. */
export interface DeviceStatement {
  device: string
  epoch: number
  /** Of the device app: one for each start. */
  boot: string
  address: string
  /** None while it is paused. */
  models: readonly DeviceModel[]
  isDraining: boolean
  /** The attempts that it works on, or may work on. */
  open: readonly (JobAttempt & { model: string })[]
}

/** Everything that one gateway knows of an organization. */
export interface Statement {
  organization: string
  jobs: readonly JobStatement[]
  devices: readonly DeviceStatement[]
}

export type Question =
  | { kind: 'view'; organization: string }
  | { kind: 'waiting'; key: string }
  | { kind: 'ask-model'; organization: string; device: string; ask: ModelAsk }
  /** Keys, models or devices have changed: answered once the change is known. */
  | { kind: 'access' }

export type Answer =
  | { kind: 'view'; view: ViewPart }
  | { kind: 'waiting'; jobs: readonly (WaitingJob & { ageMs: number })[]; forecasts: readonly JobForecast[] }
  | { kind: 'ask-model'; answer: ModelAnswer }
  | { kind: 'access' }

/** From the owner of the job's organization. */
export type JobForecast = Pick<WaitingJob, 'job' | 'place' | 'firstEventMs'>

/** What one gateway adds to the view of an organization. */
export interface ViewPart {
  devices: readonly { epoch: number; device: FleetDevice }[]
  queued: readonly (readonly [model: string, jobs: number])[]
  running: readonly { device: string; model: string; leases: number }[]
}
