// A gateway as a part of Hearth.

import { fileURLToPath } from 'node:url'
import { Part } from '../supervise/part.ts'
import { startProcess } from '../supervise/part-process.ts'
import { readTrouble } from '../supervise/readable-line.ts'
import { Repeats } from '../supervise/repeats.ts'

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

export function createGatewayPart(options: GatewayPartOptions): Part {
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
