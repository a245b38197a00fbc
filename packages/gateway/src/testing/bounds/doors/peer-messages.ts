// Messages between gateways, and the subjects of the bus that they travel on. A peer is trusted with what it says about jobs and devices,
// but not with the memory of this gateway.

import { SUBJECT as LIMITS } from '../../../access/limits/shared-limits.ts'
import { HEARTBEATS } from '../../../fleet/peers/heartbeat.ts'
import type { Message } from '../../../fleet/terms/messages.ts'
import type { Bounded } from '../bounds.ts'
import { DEVICE_FRAMES } from './device-frames.ts'

const HEARD = ['bus-message', 'half-batches', 'nonsense'] as const
/** About a job or a device that is known here, or it is dropped. */
const NEWS: Bounded = { keeps: [], takes: HEARD }
const JOBS: Bounded = { keeps: ['waiting', 'silence'], takes: HEARD }
const DEVICES: Bounded = { keeps: ['devices', 'models', 'devices-that-left', 'silence'], takes: HEARD }

function overBus(type: keyof typeof DEVICE_FRAMES): Bounded {
  return { keeps: DEVICE_FRAMES[type].keeps, takes: HEARD }
}

export const PEER_MESSAGES: Record<Message['type'], Bounded> = {
  'job-accept': overBus('job-accept'),
  'job-refuse': overBus('job-refuse'),
  'job-progress': overBus('job-progress'),
  'job-delta': overBus('job-delta'),
  'job-calls': overBus('job-calls'),
  'job-annotations': overBus('job-annotations'),
  'job-sealed': overBus('job-sealed'),
  'job-end': overBus('job-end'),
  'job-error': overBus('job-error'),
  'job-cancelled': overBus('job-cancelled'),
  'job-hand-over': overBus('job-hand-over'),
  ask: JOBS,
  withdraw: NEWS,
  answered: NEWS,
  late: NEWS,
  settled: { keeps: ['habits', ...JOBS.keeps], takes: HEARD },
  device: DEVICES,
  'device-down': NEWS,
  freed: NEWS,
  lease: NEWS,
  decline: NEWS,
  start: { keeps: ['unsent', 'silence'], takes: HEARD },
  tell: { keeps: ['unsent'], takes: HEARD },
  'attempt-lost': NEWS,
  'state-wanted': { keeps: ['on-its-way'], takes: HEARD },
  superseded: NEWS,
  'in-use': NEWS,
  contested: { keeps: ['take-overs', 'unsent'], takes: HEARD },
  served: { keeps: ['models', 'watches', 'silence'], takes: HEARD },
  stating: { keeps: ['peers'], takes: HEARD },
  stated: { keeps: ['peers'], takes: HEARD },
  question: { keeps: ['on-its-way', 'model-questions', 'watches'], takes: [...HEARD, 'views'] },
  answer: { keeps: ['asks'], takes: HEARD },
  watch: { keeps: ['silence', 'watches'], takes: HEARD },
  unwatch: NEWS,
  changed: NEWS,
}

export const BUS_SUBJECTS: Readonly<Record<string, Bounded>> = {
  [HEARTBEATS]: { keeps: ['peers', 'silence'], takes: ['bus-message'] },
  'hearth.to.*': { keeps: ['peers', 'half-batches', 'on-its-way', 'silence'], takes: ['bus-message'] },
  [LIMITS]: { keeps: ['keys', 'watches'], takes: ['bus-message', 'counts'] },
}
