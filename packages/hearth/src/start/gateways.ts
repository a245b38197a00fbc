// The gateways behind the port, with what they share.

import type { ListeningSockets } from './listening-sockets.ts'
import type { LaunchContext } from './launch-context.ts'
import type { Options } from './options.ts'
import { startSharedServices } from './shared-services.ts'
import { Part } from '../supervise/part.ts'
import { fileURLToPath } from 'node:url'
import { startProcess } from '../supervise/part-process.ts'
import { readTrouble } from '../supervise/readable-line.ts'

export interface Gateways {
  /** The address on this machine, without a path. */
  readonly url: string
  readonly databaseUrl: string
  readonly count: number
  /** The process IDs of those that run. */
  pids(): number[]
}

export async function startGateways(
  options: Options,
  { descriptors }: ListeningSockets,
  context: LaunchContext,
): Promise<Gateways> {
  const { port, gateways: count, withDevice: needsDevice } = options
  const services = await startSharedServices(options, context)
  const names = count === 1 ? ['gateway'] : Array.from({ length: count }, (_, index) => `gateway ${index + 1}`)
  const tell = (text: string) => context.screen.step(text)
  const gateways = names.map((name) =>
    createGatewayPart({
      name,
      port,
      descriptors,
      needsDevice,
      tell,
      keep: (line) => context.log.add(name, line),
      ...services,
    }),
  )
  await startAll(gateways, context)
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: services.databaseUrl,
    count,
    pids: () => gateways.map(({ pid }) => pid).filter((pid) => pid !== undefined),
  }
}

async function startAll([first, ...others]: readonly Part[], { parts, screen }: LaunchContext): Promise<void> {
  const start = async (part: Part) => {
    screen.step(`${part.name}: starting`)
    await parts.start(part)
  }
  // Before the others, because it creates the tables.
  if (first !== undefined) await start(first)
  await Promise.all(others.map(start))
}

// A gateway as a part of Hearth.
const MAIN = fileURLToPath(import.meta.resolve('@hearth/gateway/main'))

interface GatewayPartOptions {
  name: string
  port: number
  /** Its listening sockets. */
  descriptors: readonly number[]
  databaseUrl: string
  /** Where gateways that share the port reach each other. */
  natsUrl?: string
  /** /readyz then succeeds only while a device serves a model. */
  needsDevice: boolean
  tell: (text: string) => void
  keep: (line: string) => void
}

function createGatewayPart(options: GatewayPartOptions): Part {
  const { name, port, descriptors, databaseUrl, natsUrl, needsDevice, tell, keep } = options
  const environment = {
    PORT: String(port),
    LISTEN_FDS: String(descriptors.length),
    DATABASE_URL: databaseUrl,
    // The line that says that it listens has this level.
    LOG_LEVEL: 'info',
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    ...(needsDevice && { READY_NEEDS_DEVICE: 'true' }),
  }
  const repeats = new Repeats()
  return new Part({
    name,
    tell,
    keep,
    ready: '"msg":"listening"',
    replacement: 'beside',
    launch: (onLine, onAlive) => startProcess({ file: MAIN, environment, descriptors, onLine, onAlive }),
    read: (line) => {
      const trouble = readTrouble(line)
      return trouble !== undefined && repeats.isNew(trouble, performance.now()) ? trouble : undefined
    },
  })
}

// Tells news from what was said just before: a gateway without its database says so with every attempt.
const QUIET_MS = 60_000
const MOST_TEXTS = 100

export class Repeats {
  readonly #saidAt = new Map<string, number>()

  isNew(text: string, now: number): boolean {
    const saidAt = this.#saidAt.get(text)
    if (saidAt !== undefined && now - saidAt < QUIET_MS) return false
    if (this.#saidAt.size >= MOST_TEXTS) this.#saidAt.clear()
    this.#saidAt.set(text, now)
    return true
  }
}
