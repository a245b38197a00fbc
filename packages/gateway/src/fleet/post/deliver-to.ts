// Gives each message to the role that it is for.

import type { Asks } from '../view/asks.ts'
import type { Peers } from '../peers/peers.ts'
import type { Roles } from '../roles.ts'
import type { ServedModels } from '../view/served-models.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { DeskMessage, Message, RoleMessage } from '../terms/messages.ts'
import type { RemoteChanges } from '../view/remote-changes.ts'

export interface Receivers extends Roles {
  peers: Peers
  asks: Asks
  served: ServedModels
  remoteChanges: RemoteChanges
}

type TakersOf<Some extends Message> = {
  [Type in Some['type']]: (message: Extract<Some, { type: Type }>, from: string) => void
}

export function deliverTo(receivers: Receivers): (from: string, message: Message) => void {
  const takers: TakersOf<Message> = {
    ...frameTakers(receivers),
    ...frontTakers(receivers),
    ...homeTakers(receivers),
    ...schedulerTakers(receivers),
    ...consoleTakers(receivers),
  }
  return (from, message) => {
    // Each taker gets messages of its own type only, which the compiler can't follow through the table.
    const take = takers[message.type] as (message: Message, from: string) => void
    take(message, from)
  }
}

function frameTakers({ front }: Receivers): TakersOf<JobFrame> {
  const take = (frame: JobFrame) => front.frame(frame)
  return {
    'job-delta': take,
    'job-calls': take,
    'job-annotations': take,
    'job-sealed': take,
    'job-end': take,
    'job-accept': take,
    'job-refuse': take,
    'job-progress': take,
    'job-hand-over': take,
    'job-cancelled': take,
    'job-error': take,
  }
}

type FrontMessage = Extract<RoleMessage, { type: 'grant' | 'stop' | 'finish' | 'restate-wanted' | 'attempt-lost' }>

function frontTakers({ front, peers }: Receivers): TakersOf<FrontMessage> {
  // A gateway that was away may still believe that it schedules the organization.
  const isScheduler = (from: string, organization: string) => peers.schedulerOf(organization) === from
  return {
    grant: (message, from) => isScheduler(from, message.organization) && front.grant(message),
    stop: ({ of, reason }) => front.stop(of, reason),
    finish: (message, from) => isScheduler(from, message.organization) && front.finish(message),
    'restate-wanted': ({ job }) => front.restate(job),
    'attempt-lost': (message) => front.attemptLost(message),
  }
}

type HomeMessage = Extract<
  RoleMessage,
  { type: 'start' | 'tell' | 'released-wanted' | 'superseded' | 'in-use' | 'contested' }
>

function homeTakers({ home, hub }: Receivers): TakersOf<HomeMessage> {
  return {
    start: (message, from) => home.start(from, message),
    tell: ({ of, frame }, from) => home.tell(from, of, frame),
    'released-wanted': ({ of }, from) => home.releasedWanted(from, of),
    superseded: ({ device, epoch }) => hub.replaced(device, epoch),
    'in-use': ({ device, epoch }) => hub.inUse(device, epoch),
    contested: ({ device, epoch, address }) => hub.contested(device, epoch, address),
  }
}

type SchedulerMessage = DeskMessage | Extract<RoleMessage, { type: 'statement' | 'stated' }>

function schedulerTakers({ scheduler }: Receivers): TakersOf<SchedulerMessage> {
  const take = (message: DeskMessage, from: string) => scheduler.take(from, message.organization, message)
  return {
    submit: take,
    cancel: take,
    report: take,
    restate: take,
    device: take,
    'device-down': take,
    released: take,
    'model-closed': take,
    statement: (message, from) => scheduler.state(from, message),
    stated: (message, from) => scheduler.stated(from, message),
  }
}

type ConsoleMessage = Extract<RoleMessage, { type: 'served' | 'ask' | 'answer' | 'watch' | 'unwatch' | 'changed' }>

function consoleTakers({ served, asks, remoteChanges }: Receivers): TakersOf<ConsoleMessage> {
  return {
    served: ({ organization, models }, from) => served.note(from, organization, models),
    ask: ({ id, question }, from) => void asks.asked(from, id, question),
    answer: ({ id, answer }, from) => asks.answered(from, id, answer),
    watch: ({ organization }, from) => remoteChanges.watched(from, organization),
    unwatch: ({ organization }, from) => remoteChanges.unwatched(from, organization),
    changed: ({ organization, change }) => remoteChanges.changed(organization, change),
  }
}
