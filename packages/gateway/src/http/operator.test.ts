import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it } from 'vitest'
import { withRoutes } from '../testing/http-options.ts'
import { createOperatorRoute } from './operator.ts'
import { createHttpServer } from './server.ts'

const CHECKS = { disk: 'ok' }

/** Only the operator's part of a gateway: these pages need nothing else. */
async function open(
  metricsToken = '',
  notReady = ['starting'],
  warnings: string[] = [],
  gateway?: string,
): Promise<(path: string, headers?: Record<string, string>) => Promise<Response>> {
  const pages = { renderMetrics: () => 'hearth_up 1\n', metricsToken }
  const operator = {
    ...pages,
    notReady: () => notReady,
    warnings: () => warnings,
    gateway: () => gateway,
    checks: () => CHECKS,
  }
  const origin = await serveHere(createHttpServer(withRoutes([createOperatorRoute(operator)])))
  return (path, headers = {}) => fetch(origin + path, { headers })
}

describe("the operator's pages", () => {
  it.each(['/metrics', '/readyz', '/healthz'])('of which %s is closed to other sites', async (path) => {
    const ask = await open()
    const { headers } = await ask(path, { origin: 'https://elsewhere.test' })
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  it.each([
    ['ready', [], [], 200, { status: 'ready' }],
    ['degraded', [], ['slow'], 200, { status: 'degraded', reasons: ['slow'] }],
    ['not ready', ['gone'], ['slow'], 503, { status: 'not ready', reasons: ['gone'] }],
  ])('say whether the gateway is %s', async (_name, notReady, warnings, status, body) => {
    const response = await (await open('', notReady, warnings))('/readyz')
    expect([response.status, await response.json()]).toEqual([status, { ...body, checks: CHECKS }])
  })

  it('say which of several gateways answers', async () => {
    const ask = await open('', [], [], 'gateway-1')
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'ready', checks: CHECKS, gateway: 'gateway-1' })
  })

  it('show metrics only with the token, if there is one', async () => {
    const ask = await open('secret')
    const wrong = await Promise.all([ask('/metrics'), ask('/metrics', { authorization: 'Bearer wrong' })])
    expect(wrong.map(({ status }) => status)).toEqual([401, 401])
    expect((await ask('/healthz')).status).toBe(200)
    const token = await open('the-token')
    expect(await (await token('/metrics', { authorization: 'Bearer the-token' })).text()).toBe('hearth_up 1\n')
    const without = await open()
    expect((await without('/metrics')).status).toBe(200)
  })
})
