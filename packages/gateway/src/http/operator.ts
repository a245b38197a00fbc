// Pages for the operator and the orchestrator: health, readiness, metrics. They reveal nothing about any organization.

import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError, type NodeOutlet } from '@hearth/chat'
import { allowMethods } from './request-head.ts'
import type { Call, Route } from './route.ts'

export interface OperatorContext {
  /** The ID of this gateway, if it is one of several. */
  gateway: () => string | undefined
  /** Reasons why requests cannot be answered right now; empty if they can. */
  notReady: () => string[]
  /** What the gateway needs, by name: `ok`, or what is wrong. */
  checks: () => Record<string, string>
  /** Problems that don't stop requests yet. */
  warnings: () => string[]
  renderMetrics: () => string
  /** Empty if everyone who can connect may read the metrics. */
  metricsToken: string
}

const PATHS = ['/healthz', '/readyz', '/metrics'] as const

export function createOperatorRoute(context: OperatorContext): Route {
  const has = (path: string) => PATHS.some((own) => own === path)
  return { kind: 'operator', paths: PATHS, has, answer: (call) => answerOperator(call, context) }
}

function answerOperator({ request, path, outlet }: Call, context: OperatorContext): void {
  allowMethods(request, path, ['GET', 'HEAD'])
  if (path === '/metrics' && !mayReadMetrics(request, context.metricsToken))
    throw new ApiError(
      'invalid_api_key',
      `Send 'Authorization: Bearer' with the METRICS_TOKEN of this gateway.`,
      null,
      { 'www-authenticate': 'Bearer' },
    )
  if (path === '/metrics') return outlet.whole(200, 'text/plain; version=0.0.4; charset=utf-8', context.renderMetrics())
  if (path === '/healthz') return outlet.json(200, JSON.stringify({ status: 'ok' }))
  answerReadiness(outlet, context)
}

/** A warning leaves the status at 200: load balancers must not stop a gateway that still serves. */
function answerReadiness(outlet: NodeOutlet, { notReady, warnings, checks, gateway }: OperatorContext): void {
  const [reasons, degraded] = [notReady(), warnings()]
  const answer = (status: number, body: object) =>
    outlet.json(status, JSON.stringify({ ...body, checks: checks(), gateway: gateway() }))
  if (reasons.length > 0) return answer(503, { status: 'not ready', reasons })
  answer(200, degraded.length > 0 ? { status: 'degraded', reasons: degraded } : { status: 'ready' })
}

function mayReadMetrics({ headers }: IncomingMessage, token: string): boolean {
  if (token === '') return true
  const [, shown = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  // Digests have the same length, so the comparison takes the same time for every guess.
  return timingSafeEqual(hash('sha256', shown, 'buffer'), hash('sha256', token, 'buffer'))
}
