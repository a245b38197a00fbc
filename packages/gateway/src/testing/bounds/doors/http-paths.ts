// Paths that the gateway answers over HTTP, and the operations of the API below one of them.

import type { RoutePath } from '../../../http/route.ts'
import type { Operation } from '../../../http/api/operations.ts'
import type { Bounded } from '../bounds.ts'

/** Whoever connects. */
const CONNECTION = ['head', 'ahead'] as const
const PAGE: Bounded = { keeps: ['unread', 'log'], takes: CONNECTION }
const JOIN: Bounded = {
  keeps: ['join-body', 'remembered-names', 'queries', 'log'],
  takes: [...CONNECTION, 'joins', 'guesses'],
}
const CHAT = {
  keeps: ['body', 'request-memory', 'waiting', 'reply', 'unread', 'habits', 'usage-records', 'log'],
  takes: ['body', 'reading-a-body', 'in-progress', 'waiting'],
} as const satisfies Bounded
const RELAY = [...CONNECTION, 'unknown-credentials', 'relay-calls'] as const

export const HTTP_PATHS: Record<RoutePath | '/device/v1/link', Bounded> = {
  '/openai/v1/*': { keeps: ['unread', 'log', 'usage-records'], takes: CONNECTION },
  '/sealed/v1/*': {
    keeps: [...CHAT.keeps, 'sealed-boxes', 'signed-lists', 'queries'],
    takes: [...CONNECTION, ...CHAT.takes, 'seal-calls'],
  },
  '/healthz': PAGE,
  '/readyz': PAGE,
  '/metrics': PAGE,
  '/device/v1/app.json': PAGE,
  '/device/v1/app.tgz': PAGE,
  '/device/v1/installer.tgz': PAGE,
  '/seal/v1/app.json': PAGE,
  '/seal/v1/app.tgz': PAGE,
  '/seal/v1/installer.tgz': PAGE,
  '/device/v1/enrol': { ...JOIN, keeps: [...JOIN.keeps, 'devices'] },
  '/device/v1/authorize': { ...JOIN, keeps: [...JOIN.keeps, 'waiting-codes'] },
  '/device/v1/token': { ...JOIN, keeps: [...JOIN.keeps, 'devices'] },
  '/device/v1/relay/models': { keeps: ['unread'], takes: RELAY },
  '/device/v1/relay/files/*': { keeps: ['pieces', 'unread-pieces', 'unread'], takes: RELAY },
  '/device/v1/relay/pieces/*': { keeps: ['pieces', 'unread-pieces'], takes: RELAY },
  '/device/v1/link': {
    keeps: ['greeting', 'half-messages', 'remembered-names', 'unsent', 'take-overs'],
    takes: [...CONNECTION, 'dials', 'unknown-credentials', 'reading'],
  },
  '/api/openapi.json': { keeps: ['unread'], takes: [...CONNECTION, 'crowd'] },
  '/api/v1/*': { keeps: ['console-body', 'unread', 'queries'], takes: [...CONNECTION, 'crowd'] },
  '/api/auth/*': {
    keeps: ['console-body', 'remembered-names', 'queries'],
    takes: [...CONNECTION, 'crowd', 'guesses'],
  },
  '/*': PAGE,
}

export const API_OPERATIONS: Record<Operation['name'], Bounded> = {
  'create-chat-completion': CHAT,
  'list-models': { keeps: ['unread'], takes: [...CONNECTION, 'enabled-models'] },
  'retrieve-model': { keeps: ['unread'], takes: CONNECTION },
}
