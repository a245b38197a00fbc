// hearth-seal's proxy in this process, in front of any gateway.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTrust, createProxy, SealCache, sealFolder } from '@hearth/seal'
import { listen } from './connections/listen.ts'
import { removeFolder } from './remove-folder.ts'

export interface SealProxy extends AsyncDisposable {
  /** Where clients find it. */
  origin: string
  /** Everything that it told the person at the terminal. */
  problems: string[]
}

const AN_HOUR_MS = 3_600_000

/** Where several organizations have the same seal, each needs a folder for what was seen of it. */
export async function startSealProxy(
  gateway: string,
  seal: string,
  folderOf: (organization: string) => string = () => '',
): Promise<SealProxy> {
  const home = await mkdtemp(join(tmpdir(), 'hearth-seal-'))
  let hours = 0
  const cache = new SealCache({
    gateway: new URL(gateway),
    check: (information) =>
      checkTrust(information, seal, sealFolder(join(home, folderOf(information.organization))).seen),
    // So that it asks for the seal each time, and knows each device that a test adds.
    now: () => ++hours * AN_HOUR_MS,
  })
  const problems: string[] = []
  const onProblem = (text: string) => void problems.push(text)
  const proxy = createProxy({ gateway: new URL(gateway), saved: undefined, cache, hasAffinity: true, onProblem })
  const listening = await listen(proxy)
  return {
    origin: listening.origin,
    problems,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await removeFolder(home)
    },
  }
}
