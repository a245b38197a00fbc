// Devices share as many files as a frame can name, and others ask all the time for one that nobody has.

import { Agent } from 'node:http'
import type { SharedModel } from '@hearth/protocol'
import { sendRequest } from '../../attacker/send-request.ts'
import { digestOf, filePath, openHolder } from '../../attacker/shared-files.ts'
import type { Attack } from '../../attack.ts'

const HOLDERS = 5
const MODELS = 20
const FILES = 512
const CONNECTIONS = 64
const REQUESTS = 3_000

export const relaySearch: Attack = {
  name: 'relay-search',
  from: 'outside',
  async run({ origin, credentials }, tally) {
    const holders = credentials.slice(0, HOLDERS)
    const links = await Promise.all(
      holders.map((credential, index) =>
        openHolder({ origin, credential, models: manyFiles(index), onPiece: () => {} }),
      ),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    const keys = credentials.slice(HOLDERS)
    let left = REQUESTS
    const keepAsking = async (_: unknown, index: number) => {
      const sending = { method: 'GET', path: filePath('f'.repeat(64)), key: keys[index % keys.length]!, agent }
      while (left-- > 0) tally.count(await sendRequest(origin, sending))
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking))
    agent.destroy()
    for (const link of links) link.close()
  },
}

/** Short names, so that ten thousand files fit into one frame. */
function manyFiles(device: number): SharedModel[] {
  return Array.from({ length: MODELS }, (_model, model) => ({
    name: `m${device}-${model}`,
    files: Array.from({ length: FILES }, (_file, file) => ({
      name: 'x',
      bytes: 1,
      sha256: digestOf((device * MODELS + model) * FILES + file),
    })),
  }))
}
