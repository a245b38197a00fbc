// Connects the parts of the gateway. Read it from top to bottom.

import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { AccessBook } from './access/book/access-book.ts'
import { Arrivals } from './access/book/arrivals.ts'
import { HttpsNotice } from './access/network/forwarded-https.ts'
import { DialLimiter } from './access/limits/dial-limiter.ts'
import { GuessLimiter } from './access/limits/guess-limiter.ts'
import { JoinLimiter } from './access/limits/join-limiter.ts'
import { pauseUntil, sweepPlaygroundKeys } from './access/playground-sweep.ts'
import { RateLimiter } from './access/limits/rate-limit.ts'
import { createSetUpLink } from './access/secrets/set-up-link.ts'
import { openBudgets, type MemoryBudgets } from './budget/memory-budgets.ts'
import { Heartbeats } from './chat/heartbeats.ts'
import { LargeRequests } from './chat/large-requests.ts'
import type { ReadLimits } from './chat/read-chat-request.ts'
import type { Config } from './config.ts'
import { openConsole, type OpenConsole } from './console-api/open-console.ts'
import { Speeds } from './console-api/state/speeds.ts'
import { DeviceApp } from './device-app/device-app.ts'
import { totalTokens, type DeviceIdentity, type Fleet, type JobRecord, type Presence } from './fleet/fleet.ts'
import { gather } from './gather.ts'
import { openFleet, type OpenFleet } from './open-fleet.ts'
import type { RefusedCall } from './http/api.ts'
import { listen } from './http/listen.ts'
import { createHttpServer, type HttpContext } from './http/server.ts'
import { LoadLimit } from './load/load-limit.ts'
import { watchLoad } from './load/watch-load.ts'
import { describeFault } from './observe/describe-fault.ts'
import { DeviceSightings } from './observe/device-sightings.ts'
import { GatewayMetrics } from './observe/gateway-metrics.ts'
import { formatJobFields } from './observe/job-fields.ts'
import type { Log } from './observe/log.ts'
import { openUsageLedger } from './observe/open-usage-ledger.ts'
import type { UsageLedger } from './observe/usage-ledger.ts'
import { listReasonsNotReady, listWarnings } from './readiness.ts'
import type { Store } from './store/store.ts'

export interface Gateway {
  readonly port: number
  /** Finishes running jobs, up to the drain limit, then closes everything except the store. */
  close(): Promise<void>
}

export async function startGateway(config: Config, store: Store, log: Log): Promise<Gateway> {
  const parts = await openParts(config, store, log)
  await parts.book.refresh()
  void parts.book.follow()
  void sweepPlaygroundKeys({ store, onError: parts.onStoreError, pause: pauseUntil(parts.closing.signal) })
  const server = createHttpServer(httpContext(config, parts))
  const stopWatching = watchLoad(parts.load)
  const listening = await listen(server, {
    port: config.PORT,
    host: config.HOST,
    isShared: config.NATS_URL !== '',
  })
  const { port } = listening
  await logSetUpLink(store, log, config.PUBLIC_URL || `http://localhost:${port}`)
  return {
    port,
    async close() {
      await closeParts(config, parts)
      await listening.close()
      stopWatching()
      // After the last request: even one that is rejected now is counted.
      await parts.ledger.close()
    },
  }
}

interface Parts extends Base, Meters {
  fleet: Fleet
  leaveFleet: () => Promise<void>
  book: AccessBook
  guessLimiter: GuessLimiter
  heartbeats: Heartbeats
  largeRequests: LargeRequests
  consoleApi: OpenConsole
}

async function openParts(config: Config, store: Store, log: Log): Promise<Parts> {
  const base = openBase(config, store, log)
  const meters = await openMeters(config, base)
  const book = openBook(config, base)
  const arrivals = new Arrivals({ store, book, onError: base.onStoreError })
  const options = { ...fleetOptions(config, base, meters, arrivals), defaults: book }
  const { fleet, leave: leaveFleet } = await openFleet({ config, store, log, limiter: meters.limiter, options })
  applyAccess(book, fleet, meters)
  const guessLimiter = new GuessLimiter()
  const consoleApi = await openConsole(config, { ...base, ...meters, fleet, book, guessLimiter })
  meters.ledger.onWritten((organization) => consoleApi.feed.announce(organization, 'usage'))
  return {
    ...base,
    ...meters,
    fleet,
    leaveFleet,
    book,
    guessLimiter,
    heartbeats: new Heartbeats(config.HEARTBEAT_MS),
    largeRequests: new LargeRequests({ limits: readLimits(config), maxBodyBytes: config.MAX_BODY_BYTES }),
    consoleApi,
  }
}

function readLimits({ MAX_MESSAGES, MAX_TOOLS }: Config): ReadLimits {
  return { maxMessages: MAX_MESSAGES, maxTools: MAX_TOOLS }
}

const MIB = 1024 * 1024

/** Used by every part. */
interface Base {
  store: Store
  log: Log
  budgets: MemoryBudgets
  /** Aborted when the gateway starts to shut down: /readyz returns 503, and it keeps serving until load balancers stop sending requests. */
  leaving: AbortController
  /** Aborted when it stops accepting new requests. */
  closing: AbortController
  onStoreError: (error: unknown) => void
  onInternalError: (error: unknown, where: string) => void
}

function openBase(config: Config, store: Store, log: Log): Base {
  return {
    store,
    log,
    budgets: openBudgets({
      totalBytes: config.MEMORY_BUDGET_MB === '' ? undefined : config.MEMORY_BUDGET_MB * MIB,
      heapLimitBytes: getHeapStatistics().heap_size_limit,
      maxBodyBytes: config.MAX_BODY_BYTES,
    }),
    leaving: new AbortController(),
    closing: new AbortController(),
    onStoreError: (error) => log.warn({ error: describeFault(error) }, 'store'),
    onInternalError: (error, where) => log.error({ where, error: describeFault(error) }, 'internal error'),
  }
}

/** Everything that counts jobs and watches devices. */
interface Meters {
  ledger: UsageLedger
  sightings: DeviceSightings
  metrics: GatewayMetrics
  speeds: Speeds
  limiter: RateLimiter
  load: LoadLimit
}

async function openMeters(config: Config, { store, log, budgets, onStoreError }: Base): Promise<Meters> {
  const metrics = new GatewayMetrics(budgets)
  const ledger = await openUsageLedger({ config, store, log, onStoreError, metrics })
  const sightings = new DeviceSightings({ store, onError: onStoreError })
  const load = openLoadLimit(log, metrics)
  return { ledger, sightings, metrics, speeds: new Speeds(), limiter: new RateLimiter(), load }
}

function openLoadLimit(log: Log, metrics: GatewayMetrics): LoadLimit {
  return new LoadLimit({
    onRefused: () => metrics.requestShed(),
    onShedding: ({ requests }) => {
      metrics.sheddingChanged(true)
      log.warn({ requests }, 'overloaded: some new chat requests get a 503')
    },
    onRecovered: ({ refused }) => {
      metrics.sheddingChanged(false)
      log.info({ refused }, 'no longer overloaded: all chat requests are accepted again')
    },
  })
}

function fleetOptions(
  config: Config,
  base: Base,
  meters: Meters,
  arrivals: Arrivals,
): Omit<OpenFleet['options'], 'defaults'> {
  // Nothing depends on notes, so they wait for the end of the turn: by then, the clients have their replies.
  const noteSoon = gather<JobRecord>(
    (takeAll) => setImmediate(takeAll),
    (record) => noteJob(record, base, meters),
  )
  return {
    pingIntervals: { busyMs: config.PING_BUSY_MS, idleMs: config.PING_IDLE_MS },
    limits: jobLimits(config),
    compareMs: config.ACCESS_POLL_MS,
    onRecord(record) {
      countJob(record, meters)
      noteSoon(record)
    },
    onPresence: (device, presence) => recordPresence(device, presence, base, meters),
    onModels: (device, models) => arrivals.announced(device, models),
    onConflict: ({ id, organization }, { address }) =>
      base.log.warn({ device: id, organization, address }, 'two machines use the credential of one device'),
  }
}

function jobLimits(config: Config): OpenFleet['options']['limits'] {
  return {
    waitMs: config.DEVICE_WAIT_MS,
    firstEventMs: config.FIRST_EVENT_MS,
    gapMs: config.EVENT_GAP_MS,
    totalMs: config.JOB_TOTAL_MS,
    queuePerKey: config.QUEUE_PER_KEY,
    queuePerOrganization: config.QUEUE_PER_ORGANIZATION,
  }
}

/** Before its client gets the end of the reply. */
function countJob(record: JobRecord, { ledger, limiter }: Meters): void {
  ledger.add(record)
  limiter.endJob(record.ticket.key, record.ticket.cost, totalTokens(record.tokens), performance.now())
}

function noteJob(record: JobRecord, { log }: Base, { metrics, speeds }: Meters): void {
  metrics.recorded(record)
  speeds.note(record)
  log.writeFields(formatJobFields(record), 'job')
}

function recordRefusal({ requestId, caller, model, code }: RefusedCall, { book, ledger }: Parts): void {
  const { organization, key } = caller
  const known = book.models(organization).get(model) ? model : ''
  ledger.addRefused({ request: requestId, organization, key, model: known, code })
}

function recordPresence(
  { id, organization }: DeviceIdentity,
  { isLinked, app, machine, address }: Presence,
  { log }: Base,
  { sightings }: Meters,
): void {
  log.info({ device: id, organization, ...(isLinked && { app }) }, isLinked ? 'device linked' : 'device gone')
  sightings.note({ device: id, at: new Date(), address, ...(isLinked && { app }), ...(machine && { machine }) })
}

/** Well below the silence after which the store counts as gone. */
const ACCESS_CHECK_MS = 1_000

function openBook(config: Config, { store, onStoreError }: Base): AccessBook {
  return new AccessBook({
    store,
    pollMs: ACCESS_CHECK_MS,
    graceMs: config.STORE_GRACE_S * 1_000,
    onError: onStoreError,
    tellOthers: () => store.changesAreKnown(),
  })
}

/** Revoked access takes effect on running jobs and links too. */
function applyAccess(book: AccessBook, fleet: Fleet, { limiter }: Meters): void {
  book.listen({
    lost: ({ keys, models, devices }) => {
      for (const key of keys) fleet.keyRevoked(key)
      for (const key of keys) limiter.forget(key)
      for (const { organization, name } of models) fleet.modelClosed(organization, name)
      for (const device of devices) fleet.disconnect(device)
    },
    defaultsChanged: (models) => fleet.defaultsChanged(models),
    paused: (devices) => {
      for (const device of devices) fleet.pauseChanged(device, book.isPaused(device))
    },
  })
}

const HTTPS_WARNING =
  'people reach this gateway over HTTPS, but PUBLIC_URL is not set to an https:// URL: set PUBLIC_URL=https://<your host> and restart. Until then, links are guessed from each request, and passkeys and single sign-on do not work'

function httpContext(config: Config, parts: Parts): HttpContext {
  const { log, book, fleet, metrics, consoleApi, leaving, closing } = parts
  const isDraining = () => closing.signal.aborted
  const isLeaving = () => leaving.signal.aborted
  return {
    ...parts,
    deviceApp: new DeviceApp(),
    dialLimiter: new DialLimiter(),
    joinLimiter: new JoinLimiter(),
    answerConsole: (request, about) => consoleApi.app.fetch(request, about),
    addressHeader: config.CLIENT_ADDRESS_HEADER,
    publicUrl: config.PUBLIC_URL,
    limits: readLimits(config),
    stallMs: config.CLIENT_STALL_MS,
    maxBodyBytes: config.MAX_BODY_BYTES,
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
    isDraining,
    isLeaving,
    httpsNotice: new HttpsNotice(config.PUBLIC_URL, () => log.warn(HTTPS_WARNING)),
    onRefused: (refused) => recordRefusal(refused, parts),
    onAnswered: (answered) => metrics.answered(answered),
    operator: {
      gateway: () => fleet.stats().between?.peers.self,
      notReady: () => listReasonsNotReady({ book, fleet, needsDevice: config.READY_NEEDS_DEVICE, isLeaving }),
      warnings: () => listWarnings({ book, fleet }),
      renderMetrics: () => metrics.render(fleet.stats(), book.silentMs),
      metricsToken: config.METRICS_TOKEN,
    },
  }
}

async function logSetUpLink(store: Store, log: Log, base: string): Promise<void> {
  const link = await createSetUpLink(store, base)
  if (link) log.info({ link }, 'nobody can sign in yet: open this link to become the first owner')
}

async function closeParts(config: Config, parts: Parts): Promise<void> {
  const { leaving, closing, fleet, leaveFleet, heartbeats, largeRequests, consoleApi, sightings, book } = parts
  leaving.abort()
  if (config.READY_GRACE_MS > 0) await sleep(config.READY_GRACE_MS)
  closing.abort()
  await fleet.drain(config.DRAIN_MS)
  await leaveFleet()
  heartbeats.close()
  await largeRequests.close()
  consoleApi.feed.close()
  await sightings.close()
  await book.close()
}
