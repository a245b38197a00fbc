#!/usr/bin/env node
// The gateway process: settings → store → gateway → signals. The only file that reads the environment or exits.

import { prepareNetwork } from '@hearth/command-line/gateway/prepare-network'
import { openCompileCache } from '@hearth/command-line/program/compile-cache'
import { listenForStop } from '@hearth/command-line/processes/stop-signals'
import { guardMemory } from '@hearth/command-line/program/guard-memory'
import { announceGateway } from './alive/announce-gateway.ts'
import { openSystemd } from './alive/systemd.ts'
import { proveService } from './alive/prove-service.ts'
import { HAND_OVER, watchLoop } from './alive/watch-loop.ts'
import { listSettings, readConfig, ConfigError, type Config } from './config.ts'
import { errorCode } from './error-code.ts'
import { startGateway, type Gateway } from './gateway.ts'
import { describeFault } from './observe/describe-fault.ts'
import { createLog, type Log } from './observe/log.ts'
import { openStore } from './store/open-store.ts'
import { StoreError } from './store/database/store-error.ts'
import type { Store } from './store/store.ts'

const OLDEST_NODE = 24

openCompileCache()
guardMemory()
if (process.argv.includes('--help') || process.argv.includes('-h')) printHelp()
else await run()

async function run(): Promise<void> {
  rejectOldNode()
  const config = readConfigOrExit()
  const log = createLog(config.LOG_LEVEL)
  prepareNetwork(process.env)
  exitOnFault(log)
  watchLoop()
  const store = await openStore(config.DATABASE_URL, { onNotice: (text) => log.info(text) }).catch((error: unknown) =>
    exit(explainOpen(error)),
  )
  const gateway = await startGateway(config, store, log).catch((error: unknown) => exit(explainListen(error, config)))
  log.info({ port: gateway.port, host: config.HOST }, 'listening')
  log.flush()
  closeOnSignal(gateway, store, log)
  // The launcher has announced the whole, of which this is a part.
  if (process.channel === undefined) announceGateway(config, gateway.port, process.env)
  showService(gateway, log)
}

function showService(gateway: Gateway, log: Log): void {
  const systemd = openSystemd(process.env)
  systemd.tell('READY=1')
  proveService(() => gateway.askItself(), {
    onProof: () => systemd.tell('WATCHDOG=1'),
    onSilence: () => {
      log.fatal('this gateway does not answer its own requests, exiting')
      log.flush(() => process.exit(1))
    },
  })
}

// By default Node prints the error's message, which may quote a request.
function exitOnFault(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ error: describeFault(error) }, 'internal error, exiting')
    log.flush(() => process.exit(1))
  })
}

function closeOnSignal(gateway: Gateway, store: Store, log: Log): void {
  const finish = (hasSuccessor: boolean) => {
    log.flush()
    void gateway
      .close(hasSuccessor)
      .then(() => store.close())
      .then(
        () => process.exit(0),
        (error: unknown) => exit(`Cannot shut down cleanly: ${messageOf(error)}`),
      )
  }
  process.on('message', (message) => {
    if (message !== HAND_OVER) return
    log.info('a new process takes over; finishing the requests that are here')
    finish(true)
  })
  listenForStop({
    onStop(signal) {
      log.info({ signal }, 'shutting down; send a second signal to stop immediately')
      finish(false)
    },
  })
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) exit(`${error.message}. See --help`)
    throw error
  }
}

/** The store's own errors already say that it cannot be opened, and why. */
function explainOpen(error: unknown): string {
  return error instanceof StoreError ? error.message : `Cannot open the store: ${messageOf(error)}`
}

function explainListen(error: unknown, { HOST, PORT }: Config): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `Cannot listen on ${HOST}:${PORT}: the port is already in use. Set PORT to another one`
  if (code === 'EACCES')
    return `Cannot listen on ${HOST}:${PORT}: permission denied. Ports below 1024 need privileges; set PORT to another one`
  return `Cannot start: ${messageOf(error)}`
}

function rejectOldNode(): void {
  if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE)
    exit(
      `Cannot run on Node ${process.versions.node}: Node ${OLDEST_NODE} or newer is required. Start the gateway with "npm run gateway", which uses the right version`,
    )
}

function printHelp(): void {
  const lines = listSettings().map(({ name, fallback, help }) => `  ${name.padEnd(24)}${help} (${fallback})`)
  console.log(
    `Hearth gateway: one chat completions API, answered by your own devices.\n\nUsage: npm run gateway\n\nSettings (environment variables, with their defaults):\n${lines.join('\n')}\n\nExample:\n  PORT=8080 DATABASE_URL=embedded:./data npm run gateway`,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
