// Fills a data folder with more models and devices than anyone would add one by one. It writes past the store, thousands of rows at a time.

import { createDatabase } from '../store/database.ts'
import { connectPglite } from '../store/pglite/connect-pglite.ts'
import { auditLog, device, model } from '../store/tables.ts'

export interface Many {
  organization: string
  models: number
  devices: number
}

export async function addMany(folder: string, { organization, models, devices }: Many): Promise<void> {
  const { close, ...pools } = await connectPglite(folder)
  const { query } = createDatabase(pools)
  const names = Array.from({ length: models }, (_, index) => `many-${index}`)
  const machines = Array.from({ length: devices }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `machine ${index}`,
  }))
  await query.insert(model).values(names.map((name) => modelRow(organization, name)))
  await query.insert(device).values(machines.map((machine) => deviceRow(organization, machine)))
  await query
    .insert(auditLog)
    .values([
      ...names.map((name) => auditRow(organization, 'model', { id: name, name })),
      ...machines.map((machine) => auditRow(organization, 'device', machine)),
    ])
  await close()
}

function modelRow(organizationId: string, name: string) {
  return { organizationId, name, state: 'enabled' as const, ownedBy: 'organization' }
}

function deviceRow(organizationId: string, { id, name }: { id: string; name: string }) {
  return { organizationId, id, name, credentialDigest: crypto.randomUUID() }
}

function auditRow(organizationId: string, kind: 'model' | 'device', { id, name }: { id: string; name: string }) {
  const object = { objectKind: kind, objectId: id, objectName: name }
  const action = kind === 'model' ? 'model.enable' : 'device.enrol'
  return { organizationId, actorKind: 'operator' as const, actorName: 'operator', action, ...object }
}
