// Gives each message to the role that it is for.

import type { Peers } from './peers/peers.ts'
import type { Asks } from './asks.ts'
import type { Message } from './terms/messages.ts'
import type { RemoteChanges } from './view/remote-changes.ts'
import type { Roles } from './roles.ts'
import type { ServedModels } from './served-models.ts'

export interface Receivers extends Roles {
  peers: Peers
  asks: Asks
  served: ServedModels
  remoteChanges: RemoteChanges
}

export function deliverTo(receivers: Receivers): (from: string, message: Message) => void {
  const { peers, hub, front, home, scheduler, asks, served, remoteChanges } = receivers
  // A gateway that was away may still believe that it schedules the organization.
  const isScheduler = (from: string, organization: string) => peers.schedulerOf(organization) === from
  return (from, message) => {
    switch (message.type) {
      case 'job-delta':
      case 'job-calls':
      case 'job-annotations':
      case 'job-end':
      case 'job-accept':
      case 'job-refuse':
      case 'job-progress':
      case 'job-hand-over':
      case 'job-cancelled':
      case 'job-error':
        return front.frame(message)
      case 'grant':
        return isScheduler(from, message.organization) ? front.grant(message) : undefined
      case 'stop':
        return front.stop(message.of, message.reason)
      case 'finish':
        return isScheduler(from, message.organization) ? front.finish(message) : undefined
      case 'restate-wanted':
        return front.restate(message.job)
      case 'attempt-lost':
        return front.attemptLost(message)
      case 'start':
        return home.start(from, message)
      case 'tell':
        return home.tell(from, message.of, message.frame)
      case 'released-wanted':
        return home.releasedWanted(from, message.of)
      case 'superseded':
        return hub.replaced(message.device, message.epoch)
      case 'in-use':
        return hub.inUse(message.device, message.epoch)
      case 'contested':
        return hub.contested(message.device, message.epoch, message.address)
      case 'submit':
      case 'cancel':
      case 'report':
      case 'restate':
      case 'device':
      case 'device-down':
      case 'released':
      case 'model-closed':
        return scheduler.take(from, message.organization, message)
      case 'statement':
        return scheduler.state(from, message)
      case 'stated':
        return scheduler.stated(from, message)
      case 'served':
        return served.note(from, message.organization, message.models)
      case 'ask':
        return void asks.asked(from, message.id, message.question)
      case 'answer':
        return asks.answered(from, message.id, message.answer)
      case 'watch':
        return remoteChanges.watched(from, message.organization)
      case 'unwatch':
        return remoteChanges.unwatched(from, message.organization)
      case 'changed':
        return remoteChanges.changed(message.organization, message.change)
      default:
        message satisfies never
    }
  }
}
