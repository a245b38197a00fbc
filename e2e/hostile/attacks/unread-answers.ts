// Hundreds of connections ask for the largest answers that there are and read nothing of them: a signed list of 4 MiB, which its organization
// has put there for that, and answers that anyone gets.

import { newSigningKey, sealText, writeDeviceList } from '@hearth/sealing'
import type { System } from '../../harness/start-system.ts'
import { openUnread } from '../attacker/open-unread.ts'
import type { Attack } from '../attack.ts'

const ROUNDS = 2
/** Of each round. */
const ASKING_FOR_THE_LIST = 500
const ASKING_FOR_OTHERS = 100
const OTHERS = ['/openai/v1/models', '/api/openapi.json', '/metrics']
const DEVICES = 10_000
/** Control characters, which JSON inside JSON writes as seven bytes each. */
const NAME = '\u0001'.repeat(48)

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  from: 'outside',
  prepare: putLargestList,
  async run({ origin, keys }, tally) {
    for (let round = 0; round < ROUNDS; round++) {
      const connections = Array.from({ length: ASKING_FOR_THE_LIST + ASKING_FOR_OTHERS }, (_, index) => {
        const path = index < ASKING_FOR_THE_LIST ? '/sealed/v1/seal' : OTHERS[index % OTHERS.length]!
        return openUnread(origin, { method: 'GET', path, key: keys[index % keys.length]! })
      })
      for (const closed of await Promise.all(connections)) tally.count(closed)
    }
  },
}

async function putLargestList(system: System): Promise<void> {
  const seal = newSigningKey()
  let organization = ''
  await system.change(async (store, { home }) => {
    organization = home
    await store.changeSealing({ organization, mode: 'optional', seal: sealText(seal.publicKey, 'hs') })
  })
  const key = newSigningKey().publicKey
  const devices = Array.from({ length: DEVICES }, (_, index) => ({ id: `d${index}`, name: NAME, key, from: 1 }))
  const list = writeDeviceList({ organization, number: 1, signedAt: 1, devices }, seal)
  const { status } = await fetch(`${system.origin}/sealed/v1/seal`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${system.client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: list }),
  })
  if (status !== 204) throw new Error(`The gateway didn't take the list: ${status}`)
}
