// Several real gateways with one PostgreSQL and one NATS server behind a balancer. To a test they look like one gateway.

import { startNats, startPostgres, type TestNats, type TestPostgres } from '@hearth/gateway/testing'
import { startBalancer, type Balancer } from './connections/balancer.ts'
import { startGateway, type GatewayProcess } from './processes/gateway-process.ts'

export interface FleetProcess extends GatewayProcess {
  readonly databaseUrl: string
  readonly nats: TestNats
  readonly postgres: TestPostgres
  readonly balancer: Balancer
  /** Those that were started and not replaced, dead or alive. */
  readonly replicas: readonly GatewayProcess[]
  /** Starts a new gateway in the place of one that has ended. */
  replace(index: number): Promise<GatewayProcess>
}

export interface FleetOptions {
  count: number
  settings?: Record<string, string>
  flags?: readonly string[]
  /** The balancer asks gateways whether they are ready. */
  isBalancerAsking?: boolean
  /** The addresses that a gateway gets, in place of those of the servers: a test can stand between them. */
  between?: (servers: Servers, index: number) => Promise<Servers>
}

export interface Servers {
  databaseUrl: string
  natsUrl: string
}

export async function startFleet({
  count,
  settings = {},
  flags = [],
  isBalancerAsking = false,
  between = async (servers) => servers,
}: FleetOptions): Promise<FleetProcess> {
  const [postgres, nats, balancer] = await Promise.all([startPostgres(), startNats(), startBalancer(isBalancerAsking)])
  const databaseUrl = await postgres.createDatabase()
  const start = async (index: number) => {
    const servers = await between({ databaseUrl, natsUrl: nats.url }, index)
    return startGateway({ ...settings, DATABASE_URL: servers.databaseUrl, NATS_URL: servers.natsUrl }, flags)
  }
  // One after the other: the first one creates the tables.
  const replicas: GatewayProcess[] = []
  for (let index = 0; index < count; index++) replicas.push(await start(index))
  const share = () => balancer.use(replicas.map(({ origin }) => origin))
  share()
  const stop = async () => {
    const codes = await Promise.all(replicas.map((replica) => replica.stop()))
    return codes[0] ?? null
  }
  return {
    databaseUrl,
    nats,
    postgres,
    balancer,
    replicas,
    replace: async (index) => {
      const replica = (replicas[index] = await start(index))
      share()
      return replica
    },
    origin: balancer.origin,
    get origins() {
      return replicas.filter((replica) => replica.isAlive()).map(({ origin }) => origin)
    },
    pid: replicas[0]!.pid,
    isAlive: () => replicas.every((replica) => replica.isAlive()),
    signal: (name) => replicas.forEach((replica) => replica.signal(name)),
    output: () => replicas.map((replica) => replica.output()).join('\n'),
    heard: (text) => Promise.any(replicas.map((replica) => replica.heard(text))),
    exited: Promise.all(replicas.map(({ exited }) => exited)).then(([code]) => code ?? null),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await balancer[Symbol.asyncDispose]()
      await nats.stop()
      await postgres.stop()
    },
  }
}
