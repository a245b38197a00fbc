// Devices say that they have a file and never send it, while others ask for it all the time.

import { setTimeout as sleep } from 'node:timers/promises'
import { startRequest } from '../attacker/send-request.ts'
import { digestOf, filePath, oneFile, openHolder } from '../attacker/shared-files.ts'
import type { Tally } from '../attacker/tally.ts'
import type { Attack } from '../attack.ts'

const HOLDERS = 5
const ATTACK_MS = 8_000
const FIRST_FILE = 100

export const silentHolders: Attack = {
  name: 'silent-holders',
  from: 'outside',
  async run({ origin, credentials }, tally) {
    const links = await Promise.all(
      credentials.slice(0, HOLDERS).map((credential, index) =>
        openHolder({
          origin,
          credential,
          models: [oneFile(`silent-${index}`, FIRST_FILE + index, 1_000_000)],
          onPiece: () => tally.count('asked'),
        }),
      ),
    )
    const over = new AbortController()
    const asking = credentials
      .slice(HOLDERS)
      .map((key, index) => keepAsking(origin, key, FIRST_FILE + (index % HOLDERS), tally, over.signal))
    await sleep(ATTACK_MS)
    over.abort()
    await Promise.all(asking)
    for (const link of links) link.close()
  },
}

async function keepAsking(origin: string, key: string, file: number, tally: Tally, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    tally.count(await askOnce(origin, key, file, over))
    await sleep(100)
  }
}

async function askOnce(origin: string, key: string, file: number, over: AbortSignal): Promise<string | number> {
  const { promise, resolve } = Promise.withResolvers<string | number>()
  const sending = { method: 'GET', path: filePath(digestOf(file)), key }
  const asked = startRequest(origin, sending, (response) => {
    response.resume().once('close', () => resolve(response.statusCode ?? 0))
  })
  asked.on('error', () => resolve('unanswered'))
  over.addEventListener('abort', () => asked.destroy(), { once: true })
  return promise
}
