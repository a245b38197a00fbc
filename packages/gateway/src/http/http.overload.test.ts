import { once } from 'node:events'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { WebSocket } from 'ws'
import { openBudgets } from '../budget/memory-budgets.ts'
import { describe, expect, it } from 'vitest'
import type { AccessBook } from '../access/book/access-book.ts'
import { DialLimiter } from '../access/limits/dial-limiter.ts'
import { RateLimiter } from '../access/limits/rate-limit.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { LoadLimit } from '../load/load-limit.ts'
import { withRoutes } from '../testing/http-options.ts'
import { answerChat, createApiRoute, type ApiContext } from './api/api.ts'
import { createUpgradeHandler } from './link/device-upgrade.ts'
import { createIdentifyDevice } from './link/identify-device.ts'
import { createOperatorRoute } from './operator.ts'
import { createHttpServer } from './server.ts'

const CALLER = { key: 'k', organization: 'acme', expiresAt: Number.POSITIVE_INFINITY }
const DEVICE = { id: 'd', organization: 'acme', name: 'd' }
const LONG = { turnMs: 60, turnCpuMs: 50 }
const RUNNING = 500
const OPERATOR = {
  gateway: () => undefined,
  notReady: () => [],
  warnings: () => [],
  checks: () => ({}),
  renderMetrics: () => '',
  metricsToken: '',
}

/** A gateway that has as many requests as it can carry. */
async function openOverloaded(): Promise<{ origin: string; load: LoadLimit }> {
  const ignore = () => undefined
  const load = new LoadLimit({ onRejected: ignore, onShedding: ignore, onRecovered: ignore })
  for (let request = 0; request < RUNNING; request++) load.enter(CALLER.organization)
  // Just enough to shed: with every further one, the limit falls below the requests in progress.
  for (let look = 0; look < 3; look++) load.look(LONG)
  const book = {
    isFresh: true,
    digests: { get: () => 'digest' },
    caller: () => CALLER,
    isLive: () => true,
    models: () => new Map(),
    device: () => DEVICE,
  } as unknown as AccessBook
  const link = { isGreeting: false, receive: ignore, arriving: () => true, ended: ignore, close: ignore }
  const fleet = { accept: async () => () => link } as unknown as Fleet
  const api = {
    load,
    book,
    budgets: openBudgets({ totalBytes: 1e9, heapLimitBytes: 1e9, maxBodyBytes: 1e6 }),
    limiter: new RateLimiter(),
    limits: { maxMessages: 10, maxTools: 10 },
    maxBodyBytes: 1e6,
    isDraining: () => false,
    onRejected: ignore,
    onInternalError: () => expect.unreachable(),
  } as unknown as ApiContext
  const dialLimiter = new DialLimiter()
  const addressHeader = ''
  const { onInternalError, isDraining } = api
  const identify = createIdentifyDevice({ book, dialLimiter, addressHeader, isDraining })
  const server = createHttpServer(
    withRoutes([createApiRoute(api), createOperatorRoute(OPERATOR)], {
      answerChat: (...asked) => answerChat(...asked, api),
      upgrade: createUpgradeHandler({ identify, dialLimiter, fleet, addressHeader, onInternalError }),
    }),
  )
  return { origin: await serveHere(server), load }
}

async function chat(origin: string): Promise<Response> {
  return fetch(`${origin}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: '{"model":"m","messages":[]}',
  })
}

describe('an overloaded gateway', () => {
  it('refuses a chat request with a 503 that says when to try again', async () => {
    const { origin } = await openOverloaded()
    const response = await chat(origin)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(await response.json()).toEqual({
      error: {
        code: 'service_unavailable',
        type: 'server_error',
        param: null,
        message: expect.stringMatching(/^The gateway is overloaded .* Please try again in \ds\.$/) as string,
      },
    })
  })

  it('counts a request until its response is over, however it ends', async () => {
    const { origin, load } = await openOverloaded()
    load.leave(CALLER.organization)
    for (let times = 0; times < 3; times++) {
      const response = await chat(origin)
      expect(response.status).toBe(400)
      await response.text()
    }
    load.enter(CALLER.organization)
    expect((await chat(origin)).status).toBe(503)
  })

  it('answers everything else', async () => {
    const { origin } = await openOverloaded()
    const headers = { authorization: 'Bearer key' }
    expect((await fetch(`${origin}/openai/v1/models`, { headers })).status).toBe(200)
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(origin + path)).status).toBe(200)
    const device = new WebSocket(`${origin.replace('http', 'ws')}/device/v1/link`, { headers })
    await once(device, 'open')
    device.terminate()
  })
})
