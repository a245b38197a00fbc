// Every door of the gateway: each path, frame, message and subject of the bus, with the bounds of all that it may make the gateway keep and do.
// The compiler demands an entry for each kind of frame, message and path; a test compares the rest with the code.

import type { DeviceFrame } from '@hearth/protocol'
import { SUBJECT as LIMITS } from '../../access/limits/shared-limits.ts'
import { HEARTBEATS } from '../../fleet/peers/heartbeat.ts'
import type { Message } from '../../fleet/terms/messages.ts'
import type { RoutePath } from '../../http/route.ts'
import type { BoundName } from './bounds.ts'

type Door = readonly BoundName[]

/** Whoever connects. */
const CONNECTION = ['head', 'ahead', 'unread'] as const
const PAGE: Door = [...CONNECTION, 'log', 'fixed-answers']
const FILE: Door = [...CONNECTION, 'log', 'same-for-all']
const JOIN: Door = [...PAGE, 'join-body', 'remembered-names', 'queries', 'joins', 'guesses']
/** Also of every other request to the API. */
const CHAT: Door = [
  ...CONNECTION,
  ...(['body', 'reading-a-body', 'in-progress', 'waiting', 'request-memory', 'reply', 'habits'] as const),
  ...(['usage-records', 'log', 'client-ids', 'enabled-models'] as const),
]
const RELAY: Door = [...CONNECTION, 'unknown-credentials', 'relay-calls', 'pieces']
/** Of all operations of the console API: calls, and the rows that they add and list. */
const CONSOLE: Door = [
  ...CONNECTION,
  ...([
    'console-body',
    'crowd',
    'queries',
    'request-memory',
    'guesses',
    'password-hashes',
    'account-activity',
    'remembered-names',
    'fixed-answers',
  ] as const),
  ...(['streams', 'downloads', 'pages', 'usage-range', 'speeds', 'model-questions', 'asks', 'template-check'] as const),
  ...(['keys', 'playground-keys', 'invitations', 'enrolments', 'enabled-models', 'organizations', 'members'] as const),
]

export const HTTP_PATHS: Record<RoutePath | '/device/v1/link', Door> = {
  '/openai/v1/*': CHAT,
  '/sealed/v1/*': [...CHAT, 'sealed-boxes', 'signed-lists', 'seal-calls', 'queries'],
  '/healthz': PAGE,
  '/readyz': PAGE,
  '/metrics': PAGE,
  '/device/v1/app.json': PAGE,
  '/device/v1/app.tgz': FILE,
  '/device/v1/app.cdx.json': FILE,
  '/device/v1/installer.tgz': FILE,
  '/seal/v1/app.json': PAGE,
  '/seal/v1/app.tgz': FILE,
  '/seal/v1/app.cdx.json': FILE,
  '/seal/v1/installer.tgz': FILE,
  '/device/v1/seal': [...CONNECTION, 'unknown-credentials', 'seal-calls', 'signed-lists', 'request-memory', 'queries'],
  '/device/v1/enrol': [...JOIN, 'devices'],
  '/device/v1/authorize': [...JOIN, 'waiting-codes'],
  '/device/v1/token': [...JOIN, 'devices'],
  '/device/v1/relay/models': RELAY,
  '/device/v1/relay/files/*': [...RELAY, 'unread-pieces'],
  '/device/v1/relay/pieces/*': [...RELAY, 'unread-pieces', 'fixed-answers'],
  // Nothing is answered on a link but frames.
  '/device/v1/link': [...PAGE, 'dials', 'unknown-credentials', 'greeting', 'remembered-names', 'unsent', 'take-overs'],
  '/api/openapi.json': [...CONNECTION, 'crowd', 'request-memory'],
  '/api/v1/*': CONSOLE,
  '/api/auth/*': [...PAGE, 'console-body', 'remembered-names', 'queries', 'crowd', 'guesses', 'account-activity'],
  '/*': FILE,
}

/** Every frame is part of a message, and reading it takes a share of the gateway's time. One about a job is dropped unless the device was asked to run it. */
const READ = ['message', 'half-messages', 'reading'] as const
/** Each report replaces the one of its kind before it. */
const REPORT: Door = [...READ, 'reports', 'announcements']
/** Until the client has read it. */
const PART_OF_A_REPLY: Door = [...READ, 'reply', 'request-memory', 'unread']

export const DEVICE_FRAMES: Record<DeviceFrame['type'], Door> = {
  hello: [...REPORT, 'dials', 'greeting', 'models', 'take-overs', 'devices'],
  models: [...REPORT, 'models', 'devices-that-left'],
  downloads: REPORT,
  backend: REPORT,
  rest: REPORT,
  energy: REPORT,
  library: REPORT,
  shared: REPORT,
  'model-reply': [...READ, 'model-questions'],
  pong: READ,
  drain: READ,
  'job-accept': READ,
  'job-refuse': READ,
  'job-progress': READ,
  'job-delta': PART_OF_A_REPLY,
  'job-calls': PART_OF_A_REPLY,
  'job-annotations': PART_OF_A_REPLY,
  'job-sealed': [...PART_OF_A_REPLY, 'sealed-boxes'],
  'job-end': [...READ, 'usage-records', 'habits', 'log'],
  'job-error': [...READ, 'usage-records', 'log'],
  'job-cancelled': READ,
  'job-hand-over': READ,
}

/** A peer is trusted with what it says about jobs and devices, but not with the memory of this gateway. */
const HEARD = ['bus-message', 'half-batches', 'nonsense', 'silence'] as const

/** Beside the frames of jobs, which peers pass on. News is about a job or a device that is known here, or it is dropped. */
export const PEER_MESSAGES: Record<Exclude<Message['type'], DeviceFrame['type']>, Door> = {
  'slot-request': [...HEARD, 'waiting'],
  withdraw: HEARD,
  accepted: HEARD,
  late: HEARD,
  settled: [...HEARD, 'waiting', 'habits'],
  'slot-report': [...HEARD, 'devices', 'models', 'devices-that-left'],
  'device-down': HEARD,
  freed: HEARD,
  lease: HEARD,
  decline: HEARD,
  start: [...HEARD, 'unsent'],
  order: [...HEARD, 'unsent'],
  'attempt-lost': HEARD,
  'report-wanted': [...HEARD, 'on-its-way'],
  superseded: HEARD,
  'in-use': HEARD,
  contested: [...HEARD, 'take-overs', 'unsent'],
  served: [...HEARD, 'models', 'watches'],
  'sync-started': [...HEARD, 'peers'],
  'sync-done': [...HEARD, 'peers'],
  question: [...HEARD, 'on-its-way', 'model-questions', 'watches', 'views'],
  answer: [...HEARD, 'asks'],
  watch: [...HEARD, 'watches'],
  unwatch: HEARD,
  changed: HEARD,
}

export const BUS_SUBJECTS: Readonly<Record<string, Door>> = {
  [HEARTBEATS]: ['bus-message', 'peers', 'silence'],
  'hearth.to.*': [...HEARD, 'peers', 'on-its-way'],
  [LIMITS]: ['bus-message', 'keys', 'watches', 'counts'],
}
