// Everything that the gateway answers over HTTP. Each route gets the few parts that it needs.

import { DialLimiter } from '../access/limits/dial-limiter.ts'
import { HttpsNotice } from '../access/network/forwarded-https.ts'
import { JoinLimiter } from '../access/limits/join-limiter.ts'
import { RelayLimiter } from '../access/limits/relay-limiter.ts'
import type { Config } from '../config.ts'
import { answerChat, createApiRoute, type ApiContext } from '../http/api/api.ts'
import type { RejectedCall } from '../http/api/reject-call.ts'
import { createConsoleRoute } from '../http/console/console.ts'
import { createProgramRoute } from '../http/devices/program-files.ts'
import { createRelayRoute } from '../http/devices/device-relay.ts'
import { createJoinRoutes } from '../http/devices/join.ts'
import { createUpgradeHandler } from '../http/link/device-upgrade.ts'
import { createIdentifyDevice } from '../http/link/identify-device.ts'
import { createSealedRoutes } from '../http/sealed/sealed-api.ts'
import { createOperatorRoute, type OperatorContext } from '../http/operator.ts'
import type { Route } from '../http/route.ts'
import type { HttpOptions } from '../http/server.ts'
import type { Parts } from './parts.ts'
import { listChecks, listReasonsNotReady, listWarnings } from './readiness.ts'

const HTTPS_WARNING =
  'people reach this gateway over HTTPS, but PUBLIC_URL is not set to an https:// URL: set PUBLIC_URL=https://<your host> and restart. Until then, links are guessed from each request, and passkeys and single sign-on do not work'

export function openRoutes(config: Config, parts: Parts): HttpOptions {
  const { log, store, book, fleet, metrics, budgets, consoleApi, programs, leaving, onInternalError } = parts
  const addressHeader = config.CLIENT_ADDRESS_HEADER
  const api = apiContext(config, parts)
  const dialLimiter = new DialLimiter()
  const identify = createIdentifyDevice({ book, dialLimiter, addressHeader, isDraining: api.isDraining })
  return {
    routes: [
      createApiRoute(api),
      ...createSealedRoutes({ ...api, store, addressHeader, identify }),
      createOperatorRoute(operatorContext(config, parts)),
      createProgramRoute(programs.device),
      createProgramRoute(programs.seal),
      createRelayRoute({ identify, relay: fleet.relay, limiter: new RelayLimiter(), budget: budgets.relay }),
      ...joinRoutes(config, parts),
    ],
    lastRoute: createConsoleRoute({
      addressHeader,
      budget: budgets.replies,
      answerConsole: (...asked) => consoleApi.app.fetch(...asked),
    }),
    answerChat: (...asked) => answerChat(...asked, api),
    upgrade: createUpgradeHandler({ identify, dialLimiter, fleet, addressHeader, onInternalError }),
    httpsNotice: new HttpsNotice(config.PUBLIC_URL, () => log.warn(HTTPS_WARNING)),
    isHttps: config.PUBLIC_URL.startsWith('https://'),
    maxBodyBytes: config.MAX_BODY_BYTES,
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
    stallMs: config.CLIENT_STALL_MS,
    isLeaving: () => leaving.signal.aborted,
    onAnswered: (answered) => metrics.answered(answered),
    onInternalError,
  }
}

function apiContext(config: Config, parts: Parts): ApiContext {
  const { traces, closing } = parts
  return {
    ...parts,
    traceJob: traces && ((ticket) => traces.begin(ticket)),
    stallMs: config.CLIENT_STALL_MS,
    maxBodyBytes: config.MAX_BODY_BYTES,
    isDraining: () => closing.signal.aborted,
    onRejected: (rejected) => countRejected(rejected, parts),
  }
}

function countRejected(
  { requestId, client, caller, model, code }: RejectedCall,
  { book, ledger, traces }: Parts,
): void {
  const { organization, key } = caller
  const known = book.models(organization).get(model) ? model : ''
  traces?.rejected({ requestId, client, model: known, code })
  ledger.addRejected({ request: requestId, organization, key, model: known, code })
}

function operatorContext(config: Config, { book, fleet, metrics, health, leaving }: Parts): OperatorContext {
  const isLeaving = () => leaving.signal.aborted
  const checks = () => listChecks(book, health.problems)
  return {
    gateway: () => fleet.stats().between?.peers.self,
    notReady: () => listReasonsNotReady({ book, fleet, needsDevice: config.READY_NEEDS_DEVICE, isLeaving }),
    checks,
    warnings: () => listWarnings(checks(), fleet),
    renderMetrics: () => metrics.render(fleet.stats(), book.silentMs, checks()),
    metricsToken: config.METRICS_TOKEN,
  }
}

function joinRoutes(config: Config, parts: Parts): Route[] {
  return createJoinRoutes({
    ...parts,
    joinLimiter: new JoinLimiter(),
    addressHeader: config.CLIENT_ADDRESS_HEADER,
    publicUrl: config.PUBLIC_URL,
    mostDevices: config.DEVICES_PER_ORGANIZATION,
  })
}
