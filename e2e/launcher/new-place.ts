import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hearth/gateway/local-servers'
import { makeDataFolder } from '@hearth/gateway/testing'
import { removeFolder } from '../harness/remove-folder.ts'

export interface Place extends AsyncDisposable {
  data: string
  port: number
  /** That start Hearth there. */
  flags: string[]
}

/** A data folder and a port for `npm start`. Its database is there already, which saves time. */
export async function newPlace(): Promise<Place> {
  const data = await mkdtemp(join(tmpdir(), 'hearth-place-'))
  await makeDataFolder(join(data, 'gateway'))
  const port = await freePort()
  return {
    data,
    port,
    flags: ['--port', String(port), '--data', data],
    [Symbol.asyncDispose]: () => removeFolder(data),
  }
}
