// The wiring: which part knows which. Reads top to bottom.

import { AccessBook } from './access/access-book.ts'
import { GuessLimiter } from './access/guess-limiter.ts'
import { RateLimiter } from './access/rate-limit.ts'
import { createSetUpLink } from './access/set-up-link.ts'
import { Heartbeats } from './chat/heartbeats.ts'
import type { Config } from './config.ts'
import { openConsole } from './console-api/open-console.ts'
import { DeviceApp } from './device-app/device-app.ts'
import { closeServer, createHttpServer, listen } from './http/server.ts'
import { Hub } from './hub/hub.ts'
import type { DeviceIdentity } from './hub/device-link.ts'
import { describeFault } from './observe/describe-fault.ts'
import { createGatewayMetrics } from './observe/gateway-metrics.ts'
import { jobFields } from './observe/job-fields.ts'
import type { Log } from './observe/log.ts'
import { UsageLedger } from './observe/usage-ledger.ts'
import { listObstacles } from './readiness.ts'
import { totalTokens } from './scheduler/core/token-count.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './scheduler/core/types.ts'
import { Scheduler, type JobRecord } from './scheduler/scheduler.ts'
import type { Store, UsageRow } from './store/store.ts'

export interface Gateway {
  readonly port: number
  /** Finishes what is under way, up to the drain limit, then closes everything but the store. */
  close(): Promise<void>
}

export async function startGateway(config: Config, store: Store, log: Log): Promise<Gateway> {
  let isDraining = false
  const warn = (error: unknown) => log.warn({ error: describeFault(error) }, 'store')
  const hub = new Hub({
    intervals: { busyMs: config.PING_BUSY_MS, idleMs: config.PING_IDLE_MS },
    onPresence: (device, { isLinked, app }) => notePresence(device, isLinked, app),
    onDownloads: ({ organization }) => console.feed.announce(organization, 'devices'),
  })
  const ledger = new UsageLedger(
    { addUsage: (rows) => writeUsage(rows), touchKeys: (uses) => store.touchKeys(uses) },
    config.USAGE_FLUSH_MS,
    warn,
  )
  const scheduler = new Scheduler({
    hub,
    limits: schedulerLimits(config),
    onRecord: (record) => noteJob(record),
    isPaused: (device) => book.isPaused(device),
  })
  const limiter = new RateLimiter()
  const guessLimiter = new GuessLimiter()
  const metrics = createGatewayMetrics(hub, scheduler)
  const book = new AccessBook({
    store,
    pollMs: config.ACCESS_POLL_MS,
    onError: warn,
    onLosses: ({ keys, models, devices }) => {
      for (const key of keys) scheduler.keyRevoked(key)
      for (const key of keys) limiter.forget(key)
      for (const { organization, name } of models) scheduler.modelClosed(organization, name)
      for (const device of devices) hub.disconnect(device)
    },
    onPauses: (devices) => {
      for (const device of devices) scheduler.pauseChanged(device)
    },
  })
  const heartbeats = new Heartbeats(config.HEARTBEAT_MS)

  const onInternalError = (error: unknown, where: string) =>
    log.error({ where, error: describeFault(error) }, 'internal error')
  const console = await openConsole(config, { store, book, hub, scheduler, guessLimiter, onInternalError })

  function notePresence({ id, organization }: DeviceIdentity, isLinked: boolean, app: string): void {
    log.info({ device: id, organization, ...(isLinked && { app }) }, isLinked ? 'device linked' : 'device gone')
    if (isLinked) void store.deviceSeen({ device: id, app, at: new Date() }).catch(warn)
    for (const kind of ['devices', 'models'] as const) console.feed.announce(organization, kind)
  }

  async function writeUsage(rows: readonly UsageRow[]): Promise<void> {
    await store.addUsage(rows)
    for (const organization of new Set(rows.map((row) => row.organization)))
      console.feed.announce(organization, 'usage')
  }

  function noteJob(record: JobRecord): void {
    ledger.add(record)
    metrics.recorded(record)
    console.speeds.note(record)
    limiter.endJob(record.ticket.key, record.ticket.cost, totalTokens(record.tokens), performance.now())
    log.info(jobFields(record), 'job')
  }

  await book.refresh()
  void book.follow()
  const server = createHttpServer({
    book,
    store,
    hub,
    scheduler,
    heartbeats,
    limiter,
    guessLimiter,
    deviceApp: new DeviceApp(),
    console: (request, about) => console.app.fetch(request, about),
    addressHeader: config.CLIENT_ADDRESS_HEADER,
    publicUrl: config.PUBLIC_URL,
    limits: { maxMessages: config.MAX_MESSAGES, maxTools: config.MAX_TOOLS, stallMs: config.CLIENT_STALL_MS },
    maxBodyBytes: config.MAX_BODY_BYTES,
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
    isDraining: () => isDraining,
    onInternalError,
    onAnswered: (answered) => metrics.answered(answered),
    operator: {
      notReady: () =>
        listObstacles({ book, scheduler, needsDevice: config.READY_NEEDS_DEVICE, isDraining: () => isDraining }),
      renderMetrics: () => metrics.render(),
    },
  })
  const port = await listen(server, config.PORT, config.HOST)
  const link = await createSetUpLink(store, config.PUBLIC_URL || `http://localhost:${port}`)
  if (link) log.info({ link }, 'nobody can sign in yet: open this link to become the first owner')

  return {
    port,
    async close() {
      isDraining = true
      await pause(config.READY_GRACE_MS)
      await waitUntilIdle(scheduler, config.DRAIN_MS)
      hub.announceRestart()
      scheduler.shutdown()
      hub.close()
      heartbeats.close()
      console.feed.close()
      await ledger.close()
      await book.close()
      await closeServer(server)
    },
  }
}

function schedulerLimits(config: Config): SchedulerLimits {
  return {
    ...DEFAULT_LIMITS,
    waitMs: config.DEVICE_WAIT_MS,
    firstEventMs: config.FIRST_EVENT_MS,
    gapMs: config.EVENT_GAP_MS,
    totalMs: config.JOB_TOTAL_MS,
    queuePerKey: config.QUEUE_PER_KEY,
    queuePerOrganization: config.QUEUE_PER_ORGANIZATION,
  }
}

async function waitUntilIdle(scheduler: Scheduler, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs
  while (scheduler.runCount > 0 && performance.now() < until) await pause(50)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
