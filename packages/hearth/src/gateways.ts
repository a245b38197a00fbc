// The gateways behind the port, with the embedded database: one, or several that also share a NATS server.

import { startGatewayPart, type GatewayPartOptions } from './gateway-part.ts'
import type { Options } from './options.ts'
import type { Part } from './part.ts'
import { startDatabase, startSharedServices } from './shared-services.ts'

export interface Gateways {
  /** The address on this machine, without a path. */
  readonly url: string
  readonly databaseUrl: string
  /** Dead or alive. */
  readonly parts: readonly Part[]
  /** Starts another gateway in the place of one that has stopped. */
  replace(ended: Part): Promise<Part>
}

export interface GatewaysContext {
  onStep: (text: string) => void
  onStart: (part: Part) => void
}

export async function startGateways(options: Options, { onStep, onStart }: GatewaysContext): Promise<Gateways> {
  const { port, gateways: count, withDevice: needsDevice } = options
  const services = await findServices(options, { onStep, onStart })
  const start = (name: string) => startGatewayPart({ name, port, needsDevice, ...services })
  const parts: Part[] = []
  // One after the other: the first one creates the tables.
  for (let number = 1; number <= count; number++) {
    const name = count === 1 ? 'gateway' : `gateway ${number}`
    onStep(`${name}: starting`)
    const part = await start(name)
    parts.push(part)
    onStart(part)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: services.databaseUrl,
    parts,
    replace: async (ended) => (parts[parts.indexOf(ended)] = await start(ended.name)),
  }
}

async function findServices(
  { data, gateways }: Options,
  { onStep, onStart }: GatewaysContext,
): Promise<Pick<GatewayPartOptions, 'databaseUrl' | 'natsUrl'>> {
  if (gateways === 1) return { databaseUrl: await startDatabase({ data, onStep, onStart }) }
  return startSharedServices({ data, environment: process.env, onStep, onStart })
}
