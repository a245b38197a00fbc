// The lines between one gateway and its two servers, so that it can be cut off from them.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startCuttableLine, type CuttableLine } from '../../harness/connections/cuttable-line.ts'
import type { Servers } from '../../harness/start-fleet.ts'

/** PostgreSQL names its socket so. */
const SOCKET = '.s.PGSQL.5432'

export interface GatewayLines extends AsyncDisposable {
  readonly nats: CuttableLine
  readonly postgres: CuttableLine
  /** The addresses that lead through these lines. */
  readonly servers: Servers
}

/** The folder gets the socket of the line to PostgreSQL. */
export async function openGatewayLines({ databaseUrl, natsUrl }: Servers, folder: string): Promise<GatewayLines> {
  await mkdir(folder)
  const natsAddress = new URL(natsUrl)
  const nats = await startCuttableLine({ port: Number(natsAddress.port), host: natsAddress.hostname })
  const database = new URL(databaseUrl)
  const real = database.searchParams.get('host') ?? ''
  const postgres = await startCuttableLine({ path: join(real, SOCKET) }, join(folder, SOCKET))
  database.searchParams.set('host', folder)
  natsAddress.port = new URL(nats.origin).port
  return {
    nats,
    postgres,
    servers: { databaseUrl: database.href, natsUrl: natsAddress.href },
    async [Symbol.asyncDispose]() {
      await nats[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
    },
  }
}
