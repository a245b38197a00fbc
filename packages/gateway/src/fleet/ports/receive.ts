// Turns a message of another gateway into the call that it stands for.

import type { Message } from '../terms/messages.ts'
import type { ConsolePort } from './console-port.ts'
import type { GatewayParts } from './gateway-parts.ts'

export interface Receivers extends GatewayParts {
  console: ConsolePort
}

export function receive({ jobs, schedulers, hub, console }: Receivers, message: Message, from: string): void {
  switch (message.type) {
    case 'slot-request':
      return schedulers.request(message.organization, message.request, from)
    case 'withdraw':
      return schedulers.withdraw(message.organization, message.job, from)
    case 'accepted':
      return schedulers.accepted(message.organization, message, from)
    case 'late':
      return schedulers.late(message.organization, message.leases, from)
    case 'settled':
      return schedulers.settle(message.organization, message, message.settlement, message.again, from)
    case 'slot-report':
      return schedulers.report(message.organization, message.report, from)
    case 'device-down':
      return schedulers.deviceDown(message.organization, message.device, message.epoch, from)
    case 'freed':
      return schedulers.freed(message.organization, message, from)
    case 'sync-started':
      return schedulers.syncStarted(message.generation, from)
    case 'sync-done':
      return schedulers.syncDone(message.generation, from)
    case 'lease':
      return jobs.lease(message.organization, message, from)
    case 'decline':
      return jobs.decline(message.organization, message.job, message.outcome, from)
    case 'attempt-lost':
      return jobs.attemptLost(message)
    case 'start':
      return hub.start(message.start, message.request, from)
    case 'order':
      return hub.order(message.device, message.epoch, message.frame)
    case 'report-wanted':
      return hub.reportWanted(message.device, message.epoch)
    case 'superseded':
      return hub.superseded(message.device, message.epoch)
    case 'in-use':
      return hub.inUse(message.device, message.epoch)
    case 'contested':
      return hub.contested(message.device, message.epoch, message.address)
    case 'served':
      return console.served(message.organization, message.models, from)
    case 'question':
      return console.asked(message.id, message.question, from)
    case 'answer':
      return console.answered(message.id, message.answer, from)
    case 'watch':
      return console.watched(message.organization, from)
    case 'unwatch':
      return console.unwatched(message.organization, from)
    case 'changed':
      return console.changed(message.organization, message.change)
    case 'job-accept':
    case 'job-refuse':
    case 'job-progress':
    case 'job-delta':
    case 'job-calls':
    case 'job-annotations':
    case 'job-sealed':
    case 'job-end':
    case 'job-error':
    case 'job-cancelled':
    case 'job-hand-over':
      return jobs.frame(message)
    default:
      message satisfies never
  }
}
