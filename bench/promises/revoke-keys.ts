// Another process revokes a key in the database. How long until the gateway rejects it?

import { createKey } from '@hearth/gateway/testing'
import type { System } from '../../e2e/harness/start-system.ts'

export async function revokeKeys(system: System, times: number): Promise<number[]> {
  const timesMs: number[] = []
  for (let time = 0; time < times; time++) {
    const { key, digest, hint } = createKey()
    let id = ''
    await system.change(async (store, { home: organization }) => {
      const [member] = await store.listMembers(organization)
      const created = { organization, createdBy: member!.person, name: `promise ${time}`, digest, hint }
      ;({ id } = await store.createKey(created))
    })
    await statusBecomes(system, key, 200)
    await system.change(async (store, { home: organization }) => store.revokeKey({ organization, key: id }))
    const revokedAt = performance.now()
    await statusBecomes(system, key, 401)
    timesMs.push(performance.now() - revokedAt)
  }
  return timesMs
}

async function statusBecomes(system: System, key: string, status: number): Promise<void> {
  while ((await system.client.call('/models', { key })).status !== status);
}
