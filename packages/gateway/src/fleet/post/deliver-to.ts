// Gives each message to the part of the gateway that it is for.

import type { Peers } from '../peers/peers.ts'
import type { Roles } from '../roles.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import { DESK_SHAPES, type DeskMessage, type Message, type RoleMessage } from '../terms/messages.ts'
import type { Asks } from '../view/asks.ts'
import type { Changes } from '../view/changes.ts'
import type { ServedModels } from '../view/served-models.ts'

type Receivers = Roles & { peers: Peers; asks: Asks; served: ServedModels; changes: Changes }

type Taker<Taken = Message> = (message: Taken, from: string) => void
type TakersOf<Some extends Message> = { [Type in Some['type']]: Taker<Extract<Some, { type: Type }>> }

export function deliverTo(receivers: Receivers): (from: string, message: Message) => void {
  const { desks, jobs } = receivers
  const takeAtDesk = (message: DeskMessage, from: string) => desks.take(from, message.organization, message)
  const forDesks = Object.keys(DESK_SHAPES).map((type) => [type, takeAtDesk])
  // Each taker gets messages of its own type only, which the compiler can't follow through the table.
  const takers = new Map([...forDesks, ...Object.entries(roleTakers(receivers))] as [string, Taker][])
  return (from, message) => {
    const take = takers.get(message.type)
    if (take !== undefined) take(message, from)
    // All others are frames of jobs.
    else jobs.frame(message as JobFrame)
  }
}

function roleTakers(receivers: Receivers): TakersOf<Exclude<RoleMessage, DeskMessage>> {
  const { peers, jobs, hub, home, desks, asks, served, changes } = receivers
  return {
    lease: (message, from) => jobs.lease(from, message.organization, message),
    // A gateway that was away may still believe that it leases for the organization. Its leases do no harm: homes know better.
    decline: ({ organization, job, outcome }, from) => {
      if (peers.view.schedulerOf(organization) === from) jobs.decline(job, outcome)
    },
    'attempt-lost': (message) => jobs.attemptLost(message),
    start: (message, from) => home.start(from, message),
    tell: ({ device, epoch, frame }) => home.tell(device, epoch, frame),
    'state-wanted': ({ device, epoch }) => home.stateWanted(device, epoch),
    superseded: ({ device, epoch }) => hub.replaced(device, epoch),
    'in-use': ({ device, epoch }) => hub.inUse(device, epoch),
    contested: ({ device, epoch, address }) => hub.contested(device, epoch, address),
    stating: ({ generation }, from) => desks.stating(from, generation),
    stated: ({ generation }, from) => desks.stated(from, generation),
    served: ({ organization, models }, from) => served.note(from, organization, models),
    question: ({ id, question }, from) => void asks.asked(from, id, question),
    answer: ({ id, answer }, from) => asks.answered(from, id, answer),
    watch: ({ organization }, from) => changes.watched(from, organization),
    unwatch: ({ organization }, from) => changes.unwatched(from, organization),
    changed: ({ organization, change }) => changes.changed(organization, change),
  }
}
