import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { connectPools } from '../database/connect-postgres.ts'
import type { Connection } from '../database/database.ts'
import { DATABASE, USER } from './cluster.ts'
import { connectOptions, type ServerNote } from './find-server.ts'
import { ServerProcess } from './server-process.ts'

/** Joins the server of the folder, or starts it. */
export async function connectEmbedded(folder: string, onNotice: (text: string) => void): Promise<Connection> {
  const server = new ServerProcess(folder, onNotice)
  await server.find()
  const { close, ...connection } = connectPools({
    stream: () => new LateSocket(() => server.find()),
    user: USER,
    database: DATABASE,
    // Read for every connection: a new cluster has a new one.
    password: () => readFileSync(server.passwordFile, 'utf8'),
  })
  return {
    ...connection,
    close: async () => {
      await close()
      await server.close()
    },
  }
}

/** Looks the server up only when it connects: by then the server may have moved, or may have to be started. */
class LateSocket extends Socket {
  readonly #find: () => Promise<ServerNote>

  constructor(find: () => Promise<ServerNote>) {
    super()
    this.#find = find
  }

  override connect(): this {
    this.#find().then(
      (note) => super.connect(connectOptions(note)),
      (error: Error) => this.destroy(error),
    )
    return this
  }
}
