// The gateways behind the port: one with its embedded database, or several that share a PostgreSQL and a NATS server.

import { join } from 'node:path'
import { createGatewayPart, type GatewayPartOptions } from './gateway-part.ts'
import type { LaunchContext } from './launch-context.ts'
import type { Options } from './options.ts'
import { startSharedServices } from './shared-services.ts'

export interface Gateways {
  /** The address on this machine, without a path. */
  readonly url: string
  readonly databaseUrl: string
  readonly count: number
  /** The process IDs of those that run. */
  pids(): number[]
}

export async function startGateways(options: Options, context: LaunchContext): Promise<Gateways> {
  const { port, gateways: count, withDevice: needsDevice } = options
  const { parts, screen } = context
  const tell = (text: string) => screen.step(text)
  const services = await findServices(options, context)
  const names = count === 1 ? ['gateway'] : Array.from({ length: count }, (_, index) => `gateway ${index + 1}`)
  const all = names.map((name) => createGatewayPart({ name, port, needsDevice, tell, ...services }))
  const start = async (part: (typeof all)[number]) => {
    tell(`${part.name}: starting`)
    await parts.start(part)
  }
  const [first, ...others] = all
  // Before the others, because it creates the tables.
  await start(first!)
  await Promise.all(others.map(start))
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: services.databaseUrl,
    count,
    pids: () => all.map(({ pid }) => pid).filter((pid) => pid !== undefined),
  }
}

async function findServices(
  { data, gateways }: Options,
  context: LaunchContext,
): Promise<Pick<GatewayPartOptions, 'databaseUrl' | 'natsUrl'>> {
  if (gateways === 1) return { databaseUrl: `pglite:${join(data, 'gateway')}` }
  return startSharedServices(data, process.env, context)
}
