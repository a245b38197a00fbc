// The gateways behind the port, with what they share.

import type { ListeningSockets } from './listening-sockets.ts'
import type { LaunchContext } from './launch-context.ts'
import type { Options } from './options.ts'
import { startSharedServices } from './shared-services.ts'
import type { Part } from '../supervise/part.ts'
import { createGatewayPart } from './gateway-part.ts'

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
