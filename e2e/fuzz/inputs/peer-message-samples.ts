// A message of every type that gateways send each other, and one for each subject of the bus. The compiler demands new messages.

import type { Message } from '../../../packages/gateway/src/fleet/terms/messages.ts'
import type { Ticket } from '../../../packages/gateway/src/fleet/terms/job.ts'
import { DEVICE_FRAME_SAMPLES as FRAMES, MODEL } from './device-frame-samples.ts'

const ORGANIZATION = '{{ORGANIZATION}}'
const OF = { device: 'd', epoch: 1, job: '{{JOB}}', attempt: 1 }
const COURSE = { losses: 0, crashes: 0, begun: undefined, begunTokens: 0 }
const TICKET: Ticket = {
  job: 'j',
  organization: ORGANIZATION,
  key: 'k',
  model: MODEL.name,
  features: [],
  rerunnable: true,
  cost: 5,
  promptSize: 5,
  prefixes: [{ hash: 1, size: 2 }],
}
const JOB = {
  ticket: TICKET,
  requestBytes: 5,
  ageMs: 5,
  startedMsAgo: undefined,
  attempt: 1,
  course: COURSE,
  hasShown: false,
  isRecordable: true,
  held: { attempt: 1, device: 'd', epoch: 1, file: undefined, run: undefined, isLost: false },
  edition: 1,
}
const DEVICE = { device: 'd', epoch: 1, boot: 'b', address: 'a', models: [MODEL], isDraining: false, open: [] }

type Samples = { [Type in Message['type']]: Extract<Message, { type: Type }> }

export const PEER_MESSAGE_SAMPLES: Samples = {
  'job-accept': FRAMES['job-accept'],
  'job-refuse': FRAMES['job-refuse'],
  'job-progress': FRAMES['job-progress'],
  'job-delta': FRAMES['job-delta'],
  'job-calls': FRAMES['job-calls'],
  'job-annotations': FRAMES['job-annotations'],
  'job-sealed': FRAMES['job-sealed'],
  'job-end': FRAMES['job-end'],
  'job-error': FRAMES['job-error'],
  'job-cancelled': FRAMES['job-cancelled'],
  'job-hand-over': FRAMES['job-hand-over'],
  submit: { type: 'submit', organization: ORGANIZATION, ticket: TICKET, requestBytes: 5 },
  cancel: { type: 'cancel', organization: ORGANIZATION, job: 'j', reason: 'client-gone' },
  report: { type: 'report', organization: ORGANIZATION, from: OF, report: { kind: 'delivered' }, delivered: undefined },
  restate: { type: 'restate', organization: ORGANIZATION, job: JOB },
  device: { type: 'device', organization: ORGANIZATION, device: DEVICE },
  'device-down': { type: 'device-down', organization: ORGANIZATION, device: 'd', epoch: 1 },
  released: { type: 'released', organization: ORGANIZATION, from: OF },
  'model-closed': { type: 'model-closed', organization: ORGANIZATION, model: 'm' },
  grant: {
    type: 'grant',
    organization: ORGANIZATION,
    to: OF,
    home: 'h',
    file: undefined,
    isSecond: false,
    course: COURSE,
    expectedMs: 5,
    edition: 1,
  },
  stop: { type: 'stop', of: OF, reason: 'superseded' },
  finish: { type: 'finish', organization: ORGANIZATION, job: 'j', outcome: { kind: 'no-device' }, attempt: 1 },
  'restate-wanted': { type: 'restate-wanted', job: 'j' },
  start: { type: 'start', of: OF, model: 'm', request: '{}' },
  tell: { type: 'tell', of: OF, frame: { type: 'job-pause', job: 'j', attempt: 1 } },
  'attempt-lost': { type: 'attempt-lost', job: 'j', attempt: 1 },
  'released-wanted': { type: 'released-wanted', of: OF },
  superseded: { type: 'superseded', device: 'd', epoch: 1 },
  'in-use': { type: 'in-use', device: 'd', epoch: 1 },
  contested: { type: 'contested', device: 'd', epoch: 1, address: 'a' },
  served: { type: 'served', organization: ORGANIZATION, models: ['m'] },
  statement: {
    type: 'statement',
    generation: 1,
    statement: { organization: ORGANIZATION, jobs: [JOB], devices: [DEVICE] },
  },
  stated: { type: 'stated', generation: 1, isAll: true },
  ask: { type: 'ask', id: 1, question: { kind: 'view', organization: ORGANIZATION } },
  answer: { type: 'answer', id: 1, answer: { kind: 'waiting', jobs: [], forecasts: [] } },
  watch: { type: 'watch', organization: ORGANIZATION },
  unwatch: { type: 'unwatch', organization: ORGANIZATION },
  changed: { type: 'changed', organization: ORGANIZATION, change: 'devices' },
}

/** By the names in testing/bounds/doors/peer-messages.ts. */
export const BUS_SAMPLES: Readonly<Record<string, { subject: string; message: unknown }>> = {
  'hearth.peers': {
    subject: 'hearth.peers',
    message: { id: 'evil', number: 1, sequence: 1, acknowledged: 1, newest: 1, vouches: [[1, 1]], claims: [[1, 1]] },
  },
  'hearth.gateways': { subject: 'hearth.gateways', message: { from: 'evil', version: '3' } },
  'hearth.to.*': { subject: 'hearth.to.{{GATEWAY}}', message: 'batch evil 3 1 0 1 0' },
  'hearth.limits': {
    subject: 'hearth.limits',
    message: {
      from: 'evil',
      counts: [{ key: 'k', limits: { requestsPerMinute: 5 }, requests: 1, tokens: 1, jobs: 1 }],
    },
  },
}
