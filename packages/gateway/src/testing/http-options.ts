// A server for tests of some routes: nothing else is there.

import { ApiError } from '@hearth/chat'
import { HttpsNotice } from '../access/network/forwarded-https.ts'
import type { Route } from '../http/route.ts'
import type { HttpOptions } from '../http/server.ts'

const NOTHING: Route = {
  kind: 'console',
  paths: ['/*'],
  has: () => true,
  answer({ path }) {
    throw new ApiError('unknown_url', `Nothing at ${path}.`)
  },
}

export function withRoutes(routes: readonly Route[], more: Partial<HttpOptions> = {}): HttpOptions {
  const unexpected = () => {
    throw new Error('This test has no such request')
  }
  return {
    routes,
    lastRoute: NOTHING,
    answerChat: unexpected,
    upgrade: unexpected,
    httpsNotice: new HttpsNotice('', () => {}),
    isHttps: false,
    maxBodyBytes: 1e6,
    bodyTimeoutMs: 60_000,
    stallMs: 60_000,
    isLeaving: () => false,
    onAnswered: () => {},
    onInternalError: unexpected,
    ...more,
  }
}
