// The parts of another gateway: every call is a message of `terms/messages.ts`. `receive.ts` makes the call at the other end.

import type { Message } from '../terms/messages.ts'
import type { DeviceHubPort } from './device-hub-port.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { JobsPort } from './jobs-port.ts'
import type { SchedulerPort } from './scheduler-port.ts'

type Send = (message: Message) => void

export function remoteGateway(send: Send): GatewayParts {
  return { jobs: remoteJobs(send), schedulers: remoteSchedulers(send), hub: remoteHub(send) }
}

function remoteSchedulers(send: Send): SchedulerPort {
  return {
    request: (organization, request) => send({ type: 'slot-request', organization, request }),
    withdraw: (organization, job) => send({ type: 'withdraw', organization, job }),
    accepted: (organization, { device, lease }) => send({ type: 'accepted', organization, device, lease }),
    late: (organization, leases) => send({ type: 'late', organization, leases }),
    settle: (organization, { device, lease }, settlement, again) =>
      send({ type: 'settled', organization, device, lease, settlement, again }),
    report: (organization, report) => send({ type: 'slot-report', organization, report }),
    deviceDown: (organization, device, epoch) => send({ type: 'device-down', organization, device, epoch }),
    freed: (organization, { device, lease }) => send({ type: 'freed', organization, device, lease }),
    syncStarted: (generation) => send({ type: 'sync-started', generation }),
    syncDone: (generation) => send({ type: 'sync-done', generation }),
  }
}

function remoteJobs(send: Send): JobsPort {
  return {
    lease: (organization, lease) => send({ ...lease, type: 'lease', organization }),
    decline: (organization, job, outcome) => send({ type: 'decline', organization, job, outcome }),
    frame: (frame) => send(frame),
    attemptLost: ({ job, attempt, wasSent }) => send({ type: 'attempt-lost', job, attempt, wasSent }),
  }
}

function remoteHub(send: Send): DeviceHubPort {
  return {
    start: (start, request) => send({ type: 'start', start, request }),
    order: (device, epoch, frame) => send({ type: 'order', device, epoch, frame }),
    reportWanted: (device, epoch) => send({ type: 'report-wanted', device, epoch }),
    superseded: (device, epoch) => send({ type: 'superseded', device, epoch }),
    inUse: (device, epoch) => send({ type: 'in-use', device, epoch }),
    contested: (device, epoch, address) => send({ type: 'contested', device, epoch, address }),
  }
}
