// A message of every type that gateways send each other, and one for each subject of the bus. The compiler demands new messages.

import type { Message } from '../../../packages/gateway/src/fleet/terms/messages.ts'
import type { Ticket } from '../../../packages/gateway/src/fleet/terms/job.ts'
import { goldenFrame } from './golden-frames.ts'
import { MODEL } from './link-input.ts'

const ORGANIZATION = '{{ORGANIZATION}}'
const OF = { device: 'd', lease: 1 }
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
const SLOT_REQUEST = {
  ticket: TICKET,
  want: 'slot',
  isFirst: true,
  ageMs: 5,
  waitMs: 5,
  begun: undefined,
  mustContinue: false,
  avoided: ['d'],
  excluded: undefined,
} as const
const SLOT_REPORT = {
  device: 'd',
  epoch: 1,
  edition: 1,
  boot: 'b',
  address: 'a',
  models: [MODEL],
  isDraining: false,
  taken: [{ lease: 1, model: 'm' }],
}
const MEASURED = { readMs: 5, answerMs: 5, tokens: 5 }

type Samples = { [Type in Message['type']]: Extract<Message, { type: Type }> }

export const PEER_MESSAGE_SAMPLES: Samples = {
  'job-accept': goldenFrame('job-accept'),
  'job-refuse': goldenFrame('job-refuse'),
  'job-progress': goldenFrame('job-progress'),
  'job-delta': goldenFrame('job-delta'),
  'job-calls': goldenFrame('job-calls'),
  'job-annotations': goldenFrame('job-annotations'),
  'job-sealed': goldenFrame('job-sealed'),
  'job-end': goldenFrame('job-end'),
  'job-error': goldenFrame('job-error'),
  'job-cancelled': goldenFrame('job-cancelled'),
  'job-hand-over': goldenFrame('job-hand-over'),
  'slot-request': { type: 'slot-request', organization: ORGANIZATION, request: SLOT_REQUEST },
  withdraw: { type: 'withdraw', organization: ORGANIZATION, job: 'j' },
  accepted: { type: 'accepted', organization: ORGANIZATION, ...OF },
  late: { type: 'late', organization: ORGANIZATION, leases: [OF] },
  settled: {
    type: 'settled',
    organization: ORGANIZATION,
    ...OF,
    settlement: { key: 'k', model: 'm', tokens: 5, kind: 'ended', measured: MEASURED },
    again: SLOT_REQUEST,
  },
  'slot-report': { type: 'slot-report', organization: ORGANIZATION, report: SLOT_REPORT },
  'device-down': { type: 'device-down', organization: ORGANIZATION, device: 'd', epoch: 1 },
  freed: { type: 'freed', organization: ORGANIZATION, ...OF },
  lease: {
    type: 'lease',
    organization: ORGANIZATION,
    ...OF,
    job: '{{JOB}}',
    want: 'slot',
    epoch: 1,
    edition: 1,
    hub: 'h',
    file: undefined,
    isContinued: false,
    isLate: false,
    waitMs: 5,
    expectedMs: 5,
  },
  decline: { type: 'decline', organization: ORGANIZATION, job: 'j', outcome: { kind: 'no-device', retryMs: 5 } },
  start: {
    type: 'start',
    start: { job: '{{JOB}}', attempt: 1, ...OF, epoch: 1, edition: 1, organization: ORGANIZATION, model: 'm' },
    request: '{}',
  },
  order: { type: 'order', device: 'd', epoch: 1, frame: { type: 'job-pause', job: 'j', attempt: 1 } },
  'attempt-lost': { type: 'attempt-lost', job: 'j', attempt: 1, wasSent: true },
  'report-wanted': { type: 'report-wanted', device: 'd', epoch: 1 },
  superseded: { type: 'superseded', device: 'd', epoch: 1 },
  'in-use': { type: 'in-use', device: 'd', epoch: 1 },
  contested: { type: 'contested', device: 'd', epoch: 1, address: 'a' },
  served: { type: 'served', organization: ORGANIZATION, models: ['m'] },
  'sync-started': { type: 'sync-started', generation: 1 },
  'sync-done': { type: 'sync-done', generation: 1 },
  question: { type: 'question', id: 1, question: { kind: 'view', organization: ORGANIZATION } },
  answer: { type: 'answer', id: 1, answer: { kind: 'waiting', jobs: [], forecasts: [] } },
  watch: { type: 'watch', organization: ORGANIZATION },
  unwatch: { type: 'unwatch', organization: ORGANIZATION },
  changed: { type: 'changed', organization: ORGANIZATION, change: 'devices' },
}

/** By the names in testing/bounds/doors.ts. */
export const BUS_SAMPLES: Readonly<Record<string, { subject: string; message: unknown }>> = {
  'hearth.peers': {
    subject: 'hearth.peers',
    message: { id: 'evil', number: 1, sequence: 1, acknowledged: 1, newest: 1, vouches: [[1, 1]], claims: [[1, 1]] },
  },
  'hearth.to.*': { subject: 'hearth.to.{{GATEWAY}}', message: 'batch evil 3 1 0 1 0' },
  'hearth.limits': {
    subject: 'hearth.limits',
    message: {
      from: 'evil',
      counts: [{ key: 'k', limits: { requestsPerMinute: 5 }, requests: 1, tokens: 1, jobs: 1 }],
    },
  },
}
