// Paths that the gateway answers over HTTP, and the operations of the API below one of them.

import type { RoutePath } from '../../../http/route.ts'
import type { Operation } from '../../../http/api/operations.ts'
import type { Answering, Bounded } from '../bounds.ts'

/** Whoever connects. */
const CONNECTION = ['head', 'ahead'] as const
const PAGE: Answering = { keeps: ['unread', 'log'], takes: CONNECTION, answers: ['fixed-answers'] }
const FILE: Answering = { ...PAGE, answers: ['same-for-all'] }
const JOIN: Answering = {
  answers: ['fixed-answers'],
  keeps: ['join-body', 'remembered-names', 'queries', 'log'],
  takes: [...CONNECTION, 'joins', 'guesses'],
}
/** Whoever asks pays, in memory of replies. */
const PAID = ['request-memory'] as const
const CHAT = {
  answers: ['reply', ...PAID],
  keeps: ['body', 'request-memory', 'waiting', 'reply', 'unread', 'habits', 'usage-records', 'log', 'client-ids'],
  takes: ['body', 'reading-a-body', 'in-progress', 'waiting'],
} as const satisfies Answering
const RELAY = [...CONNECTION, 'unknown-credentials', 'relay-calls'] as const

/** Nothing is answered on a link but frames. */
export const HTTP_PATHS: Record<RoutePath, Answering> & Record<'/device/v1/link', Bounded> = {
  '/openai/v1/*': { keeps: ['unread', 'log', 'usage-records', 'client-ids'], takes: CONNECTION, answers: PAID },
  '/sealed/v1/*': {
    answers: [...CHAT.answers, 'signed-lists', 'seal-calls'],
    keeps: [...CHAT.keeps, 'sealed-boxes', 'signed-lists', 'queries'],
    takes: [...CONNECTION, ...CHAT.takes, 'seal-calls'],
  },
  '/healthz': PAGE,
  '/readyz': PAGE,
  '/metrics': PAGE,
  '/device/v1/app.json': PAGE,
  '/device/v1/app.tgz': FILE,
  '/device/v1/installer.tgz': FILE,
  '/seal/v1/app.json': PAGE,
  '/seal/v1/app.tgz': FILE,
  '/seal/v1/installer.tgz': FILE,
  '/device/v1/seal': {
    keeps: ['signed-lists', 'unread', 'queries'],
    takes: [...CONNECTION, 'unknown-credentials', 'seal-calls'],
    answers: ['signed-lists', 'seal-calls', ...PAID],
  },
  '/device/v1/enrol': { ...JOIN, keeps: [...JOIN.keeps, 'devices'] },
  '/device/v1/authorize': { ...JOIN, keeps: [...JOIN.keeps, 'waiting-codes'] },
  '/device/v1/token': { ...JOIN, keeps: [...JOIN.keeps, 'devices'] },
  '/device/v1/relay/models': { keeps: ['unread'], takes: RELAY, answers: ['pieces'] },
  '/device/v1/relay/files/*': { keeps: ['pieces', 'unread-pieces', 'unread'], takes: RELAY, answers: ['pieces'] },
  '/device/v1/relay/pieces/*': { keeps: ['pieces', 'unread-pieces'], takes: RELAY, answers: ['fixed-answers'] },
  '/device/v1/link': {
    keeps: ['greeting', 'half-messages', 'remembered-names', 'unsent', 'take-overs'],
    takes: [...CONNECTION, 'dials', 'unknown-credentials', 'reading'],
  },
  '/api/openapi.json': { keeps: ['unread'], takes: [...CONNECTION, 'crowd'], answers: PAID },
  '/api/v1/*': { keeps: ['console-body', 'unread', 'queries'], takes: [...CONNECTION, 'crowd'], answers: PAID },
  '/api/auth/*': {
    answers: ['fixed-answers'],
    keeps: ['console-body', 'remembered-names', 'queries'],
    takes: [...CONNECTION, 'crowd', 'guesses'],
  },
  '/*': FILE,
}

export const API_OPERATIONS: Record<Operation['name'], Answering> = {
  'create-chat-completion': CHAT,
  'list-models': { keeps: ['unread'], takes: [...CONNECTION, 'enabled-models'], answers: ['enabled-models', ...PAID] },
  'retrieve-model': { keeps: ['unread'], takes: CONNECTION, answers: PAID },
}
