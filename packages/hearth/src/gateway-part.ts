// Starts the gateway as a process and waits until it listens.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPart, type Part } from './part.ts'

const MAIN = fileURLToPath(import.meta.resolve('@hearth/gateway/main'))

export interface GatewayPart extends Part {
  /** The address on this machine, without a path. */
  url: string
}

export interface GatewayPartOptions {
  port: number
  databaseUrl: string
  /** /readyz then succeeds only while a device serves a model. */
  needsDevice: boolean
}

export function databaseUrlOf(dataFolder: string): string {
  return `pglite:${join(dataFolder, 'gateway')}`
}

/** Rejects with the gateway's last output if it stops before it listens. */
export async function startGatewayPart({ port, databaseUrl, needsDevice }: GatewayPartOptions): Promise<GatewayPart> {
  const listening = Promise.withResolvers<void>()
  const part = startPart({
    name: 'gateway',
    file: MAIN,
    environment: { PORT: String(port), DATABASE_URL: databaseUrl, ...(needsDevice && { READY_NEEDS_DEVICE: 'true' }) },
    onLine: (line) => line.includes('"msg":"listening"') && listening.resolve(),
  })
  const tooEarly = part.ended.then(() => {
    throw new Error(part.lastLines() || 'The gateway stopped without a message')
  })
  await Promise.race([listening.promise, tooEarly])
  tooEarly.catch(() => undefined)
  return Object.assign(part, { url: `http://127.0.0.1:${port}` })
}
