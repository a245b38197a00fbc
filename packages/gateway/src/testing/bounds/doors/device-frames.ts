// Frames of devices. Every one is part of a message, and reading it takes a share of the gateway's time.

import type { DeviceFrame } from '@hearth/protocol'
import type { Bounded } from '../bounds.ts'

const READ = ['message', 'reading'] as const
/** Each report replaces the one of its kind before it. */
const REPORT: Bounded = { keeps: ['reports'], takes: [...READ, 'announcements'] }
const MODELS: Bounded = { keeps: ['models', 'reports', 'devices-that-left'], takes: [...READ, 'announcements'] }
/** Dropped unless the device was asked to run the attempt. */
const JOB: Bounded = { keeps: [], takes: READ }
/** Until the client has read it. */
const PART_OF_A_REPLY: Bounded = { keeps: ['reply', 'request-memory', 'unread'], takes: READ }

export const DEVICE_FRAMES: Record<DeviceFrame['type'], Bounded> = {
  hello: {
    keeps: ['greeting', 'half-messages', 'models', 'reports', 'take-overs', 'devices'],
    takes: ['dials', ...READ],
  },
  models: MODELS,
  downloads: REPORT,
  backend: REPORT,
  rest: REPORT,
  energy: REPORT,
  library: REPORT,
  shared: REPORT,
  'model-reply': { keeps: ['model-questions'], takes: READ },
  pong: JOB,
  drain: JOB,
  'job-accept': JOB,
  'job-refuse': JOB,
  'job-progress': JOB,
  'job-delta': PART_OF_A_REPLY,
  'job-calls': PART_OF_A_REPLY,
  'job-annotations': PART_OF_A_REPLY,
  'job-sealed': { keeps: [...PART_OF_A_REPLY.keeps, 'sealed-boxes'], takes: READ },
  'job-end': { keeps: ['usage-records', 'habits', 'log'], takes: READ },
  'job-error': { keeps: ['usage-records', 'log'], takes: READ },
  'job-cancelled': JOB,
  'job-hand-over': JOB,
}
