// Starts a gateway as a process and waits until it listens.

import { fileURLToPath } from 'node:url'
import { startUntil, type Part } from './part.ts'

const MAIN = fileURLToPath(import.meta.resolve('@hearth/gateway/main'))

export interface GatewayPartOptions {
  name: string
  port: number
  databaseUrl: string
  /** Where gateways that share the port reach each other. */
  natsUrl?: string
  /** /readyz then succeeds only while a device serves a model. */
  needsDevice: boolean
}

/** Rejects with the gateway's last output if it stops before it listens. */
export function startGatewayPart({ name, port, databaseUrl, natsUrl, needsDevice }: GatewayPartOptions): Promise<Part> {
  const environment = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    ...(needsDevice && { READY_NEEDS_DEVICE: 'true' }),
  }
  return startUntil('"msg":"listening"', { name, file: MAIN, environment })
}
