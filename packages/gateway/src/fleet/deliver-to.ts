// Gives each message to the role that it is for.

import type { Hub } from './home/hub.ts'
import type { Peers } from './peers/peers.ts'
import type { Asks } from './asks.ts'
import type { Front } from './front/front.ts'
import type { Home } from './home/home.ts'
import type { Message } from './peer-link/messages.ts'
import type { Owner } from './scheduler/owner.ts'
import type { RemoteChanges } from './remote-changes.ts'
import type { ServedModels } from './served-models.ts'

export interface Roles {
  peers: Peers
  hub: Hub
  front: Front
  home: Home
  owner: Owner
  asks: Asks
  served: ServedModels
  remoteChanges: RemoteChanges
}

export function deliverTo(roles: Roles): (from: string, message: Message) => void {
  const { peers, hub, front, home, owner, asks, served, remoteChanges } = roles
  // An owner that was away may still believe that it is one.
  const isOwner = (from: string, organization: string) => peers.schedulerOf(organization) === from
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
        return isOwner(from, message.organization) ? front.grant(message) : undefined
      case 'stop':
        return front.stop(message.of, message.reason)
      case 'finish':
        return isOwner(from, message.organization) ? front.finish(message.job, message.outcome) : undefined
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
        return owner.take(from, message.organization, message)
      case 'statement':
        return owner.state(from, message)
      case 'stated':
        return owner.stated(from, message)
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
