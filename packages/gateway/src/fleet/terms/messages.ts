// Everything that the roles of the gateways say to each other: front of the requests that came in here, home of the devices that are
// connected here, scheduler of some organizations. To itself, a gateway says it by a call; to another one, over a peer link.
//
// A job        front → scheduler   submit                   what the scheduler has to know; never the prompt
//              scheduler → front   grant                    one attempt on one device, and the gateway that is its home
//              front → home        start                    with the request
//              home → front        job frames, as they came; attempt-lost when the device's link is gone
//              front → scheduler   report                   the front judges frames: it alone says what was delivered, in order
//              scheduler → front   stop                     give this attempt up
//              scheduler → front   finish                   the job has failed; a front ends replies and canceled jobs on its own
//              front → scheduler   cancel                   the front is done with the job
//              scheduler → front   restate-wanted           a report came after the scheduler had given the attempt up
//              front → scheduler   restate                  the scheduler decided by old news: this is how things are
//              front → home        tell                     job-cancel, job-pause, job-resume
// Devices      home → scheduler    device, device-down      what a device offers, whenever that changes
//              scheduler → home    released-wanted          does the device still work on this attempt?
//              home → scheduler    released                 the device no longer does, or never did; sent unasked if the attempt's front is gone
//              scheduler → home    superseded               the device has a newer link elsewhere
//              scheduler → home    in-use, contested        another machine has the device's credential: reject this one, or tell it
//              scheduler → all     served                   the models of an organization that take jobs
// Hand-over    all → scheduler     statement, stated        all that runs and waits, for a scheduler that doesn't know it, and the end of that
// Console      ask, answer, watch, unwatch, changed, model-closed

import type { DeviceModel, JobAttempt, CancelReason, RefuseReason } from '@hearth/protocol'
import type { Failure, Failed } from '@hearth/chat'
import type { FleetChange, FleetDevice } from './fleet-view.ts'
import type { JobFrame } from './job-frame.ts'
import type { ModelAnswer, ModelAsk } from './model-ask.ts'
import type { StatedJob } from './stated-job.ts'
import type { Delivered, Offer, Reporter, Ticket, TokenCount } from './job.ts'
import type { FrontWaitingJob, WaitingJob } from './waiting-job.ts'

/** Gateways that use another version are left out. Change it when a message changes in a way that older gateways misread. */
export const MESSAGES_VERSION = '4'

export type Message = JobFrame | RoleMessage

export type RoleMessage =
  | DeskMessage
  | ({ type: 'grant' } & Grant)
  | { type: 'stop'; of: Reporter; reason: CancelReason }
  /** `attempt` is the one that it ended with, if a device worked on it. */
  | { type: 'finish'; organization: string; job: string; outcome: Failed; attempt: number | undefined }
  | { type: 'restate-wanted'; job: string }
  | { type: 'start'; of: Reporter; model: string; request: string }
  | { type: 'tell'; of: Reporter; frame: JobOrder }
  | ({ type: 'attempt-lost' } & JobAttempt)
  | { type: 'released-wanted'; of: Reporter }
  | { type: 'superseded'; device: string; epoch: number }
  | { type: 'in-use'; device: string; epoch: number }
  | { type: 'contested'; device: string; epoch: number; address: string }
  | { type: 'served'; organization: string; models: readonly string[] }
  /** As of this view, which the scheduler may not have heard of yet. */
  | { type: 'statement'; generation: number; statement: Statement }
  /** Ends the statements: with `isAll`, everything was stated; otherwise, what was new to the scheduler. */
  | { type: 'stated'; generation: number; isAll: boolean }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'watch'; organization: string }
  | { type: 'unwatch'; organization: string }
  | { type: 'changed'; organization: string; change: FleetChange }

export interface Grant extends Pick<Offer, 'file' | 'isSecond' | 'course'> {
  organization: string
  to: Reporter
  home: string
  /** The expected time to the first event, at submission; undefined for most jobs: only samples are compared. */
  expectedMs: number | undefined
  /** Of the statement of the job that the scheduler decided by. */
  edition: number
}

/** For the desk of one organization. */
export type DeskMessage =
  | { type: 'submit'; organization: string; ticket: Ticket; requestBytes: number }
  | { type: 'cancel'; organization: string; job: string; reason: CancelReason }
  /** With what was `delivered` up to now, if anything was. */
  | { type: 'report'; organization: string; from: Reporter; report: Report; delivered: Delivered | undefined }
  | { type: 'restate'; organization: string; job: JobStatement }
  | { type: 'device'; organization: string; device: DeviceStatement }
  | { type: 'device-down'; organization: string; device: string; epoch: number }
  | { type: 'released'; organization: string; from: Reporter }
  | { type: 'model-closed'; organization: string; model: string }

/** A front's report about an attempt. */
export type Report =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: RefuseReason }
  | { kind: 'loading' }
  | { kind: 'progress'; promptTokens: number | undefined }
  /** A sign of life. */
  | { kind: 'delivered' }
  | { kind: 'ended'; tokens: TokenCount | undefined }
  | { kind: 'failed'; failure: Failure }
  /** The person at the device wants it back. */
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

/** A job as its front knows it. */
export interface JobStatement extends StatedJob {
  /** Grows with every statement of the job. Grants that are based on an earlier one are void. */
  edition: number
}

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
  /** With `after`, a page of it: the devices with higher ids than this. Without, all at once. */
  | { kind: 'view'; organization: string; after?: string }
  | { kind: 'waiting'; key: string }
  | { kind: 'ask-model'; organization: string; device: string; ask: ModelAsk }

export type Answer =
  | { kind: 'view'; view: ViewPart }
  | { kind: 'waiting'; jobs: readonly FrontWaitingJob[]; forecasts: readonly JobForecast[] }
  | { kind: 'ask-model'; answer: ModelAnswer }

/** From the scheduler of the job's organization. */
export type JobForecast = Pick<WaitingJob, 'job' | 'place' | 'firstEventMs'>

/** One gateway's part of the view of an organization. */
export interface ViewPart {
  /** The last device of a page that is followed by another. */
  next?: string
  devices: readonly { epoch: number; device: FleetDevice }[]
  queued: readonly (readonly [model: string, jobs: number])[]
  running: readonly { device: string; model: string; leases: number }[]
}
