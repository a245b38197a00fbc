// Fifty thousand keys exist, and someone creates and revokes a few more.

import { setTimeout } from 'node:timers/promises'
import { addManyKeys, createKey, type Store } from '@hearth/gateway/testing'
import type { System } from '../../harness/start-system.ts'
import type { Attack } from '../attack.ts'

const KEYS = 50_000
const CHANGES = 5
const LOOK_AGAIN_MS = 20

export const manyKeys: Attack = {
  name: 'many-keys',
  from: 'inside',
  async prepare(system) {
    const { home: organization } = system.organizations
    await addManyKeys(`embedded:${system.folder}`, { organization, createdBy: await addOwner(system), keys: KEYS })
    // An enrolment makes the gateway look at the store, so it knows the keys afterwards.
    await system.enrol('home')
  },
  async run(system) {
    const owner = { organization: system.organizations.home, createdBy: await addOwner(system) }
    for (let change = 0; change < CHANGES; change++)
      await system.change((store) => createAndRevoke(store, system, owner))
    return { changes: CHANGES }
  },
}

async function addOwner(system: System): Promise<string> {
  let person = ''
  await system.change(async (store, { home: organization }) => {
    const email = `${crypto.randomUUID()}@example.test`
    person = (await store.addMember({ organization, email, name: 'Many', role: 'member' })).person
  })
  return person
}

async function createAndRevoke(store: Store, system: System, owner: { organization: string; createdBy: string }) {
  const { key, digest, hint } = createKey()
  const { id } = await store.createKey({ ...owner, name: 'one more', digest, hint })
  await statusBecomes(system, key, 200)
  await store.revokeKey({ organization: owner.organization, key: id })
  await statusBecomes(system, key, 401)
}

async function statusBecomes(system: System, key: string, expected: number): Promise<void> {
  while ((await system.client.call('/models', { key })).status !== expected) await setTimeout(LOOK_AGAIN_MS)
}
