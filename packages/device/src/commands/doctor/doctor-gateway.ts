// Whether the gateway can be reached, through which proxy, and whether this machine and the gateway agree about the time.

import { request } from 'node:https'
import { describeError } from '@hearth/command-line/errors'
import { formatSeconds } from '@hearth/command-line/format'
import { adviseConnection, isWrongTime } from '@hearth/command-line/gateway/advise-connection'
import { chooseProxy, describeProxy, type Environment } from '@hearth/command-line/gateway/choose-proxy'
import { linkAddress, under } from '@hearth/command-line/gateway/gateway-address'
import { proxyAgent } from '@hearth/command-line/gateway/proxy-agent'
import { bad, good, warn, type Line } from '../../terminal/line.ts'

const ASK_MS = 10_000
const MAX_SKEW_MS = 5 * 60_000

export async function checkGateway(gateway: URL, environment: Environment): Promise<Line[]> {
  const proxy = chooseProxy(linkAddress(gateway), environment)
  const through = proxy === undefined ? '' : ` through the proxy of ${describeProxy(proxy)}`
  const startedAt = performance.now()
  const address = under(gateway, '/healthz')
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ASK_MS) })
    const tookMs = Math.round(performance.now() - startedAt)
    await response.body?.cancel()
    return [
      good(`Gateway: ${gateway.href} responded in ${tookMs} ms${through}`),
      ...checkClock(readSkewMs(response.headers.get('date'))),
    ]
  } catch (error) {
    const clock = isWrongTime(error) ? adviseTime(await askSkewMs(address, environment)) : undefined
    const advice = clock ?? adviseConnection(error, gateway, environment)
    return [bad(`Gateway: can't reach ${gateway.href}${through}: ${describeError(error)} → ${advice}`)]
  }
}

function checkClock(skewMs: number | undefined): Line[] {
  if (skewMs === undefined) return []
  if (Math.abs(skewMs) < MAX_SKEW_MS) return [good('Clock: in sync with the gateway')]
  return [warn(`Clock: ${describeSkew(skewMs)} → set the clock; TLS and --hours depend on it`)]
}

/** Undefined if nobody knows whose time is wrong. */
function adviseTime(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined) return undefined
  if (Math.abs(skewMs) >= MAX_SKEW_MS) return `set this machine's clock: it is ${describeSkew(skewMs)}`
  return "this machine's clock agrees with the gateway's, so whoever runs the gateway has to renew its certificate"
}

function describeSkew(skewMs: number): string {
  return `${formatSeconds(Math.abs(skewMs) / 1000)} ${skewMs > 0 ? 'ahead of' : 'behind'} the gateway`
}

function readSkewMs(date: string | null | undefined): number | undefined {
  const skewMs = Date.now() - Date.parse(date ?? '')
  return Number.isNaN(skewMs) ? undefined : skewMs
}

/** Accepts any certificate, and therefore sends nothing of its own and believes nothing but the time, which it only shows. */
function askSkewMs(address: URL, environment: Environment): Promise<number | undefined> {
  const signal = AbortSignal.timeout(ASK_MS)
  const agent = proxyAgent(address, environment, signal) ?? false
  return new Promise((resolve) => {
    request(address, { method: 'HEAD', rejectUnauthorized: false, agent, signal })
      .once('response', (response) => {
        response.destroy()
        resolve(readSkewMs(response.headers.date))
      })
      .once('error', () => resolve(undefined))
      .once('close', () => resolve(undefined))
      .end()
  })
}
