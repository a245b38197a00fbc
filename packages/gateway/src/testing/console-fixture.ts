// Two organizations with people in every role, for tests of the console API.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from './console-world.ts'
import { ScriptedDevice, type ScriptedDeviceOptions } from './scripted-device.ts'
import { usePostgres } from './use-postgres.ts'
import { at, type Answer, type Visitor } from './visitor.ts'
import type { Role } from '../store/tables/people.ts'

export interface MadeKey {
  key: { id: string; hint: string }
  secret: string
}

interface AuditEntry {
  action: string
  actor: { name: string }
  isRefused: boolean
}

export let world: ConsoleWorld
export let acme: string
export let other: string
/** Members of acme. */
export let people: Record<Role, Visitor>
/** The owner of the other organization. */
export let stranger: Visitor

const postgres = usePostgres()
beforeAll(async () => {
  world = await openConsoleWorld(await postgres.createDatabase(), { PEOPLE_MAKE_ORGANIZATIONS: 'true' })
  const owner = await world.setUp('olga@acme.test', 'Acme')
  acme = owner.organization
  const admin = await world.join(acme, 'adam@acme.test', 'admin')
  const member = await world.join(acme, 'mia@acme.test', 'member')
  people = { owner, admin, member }
  other = (await world.store.createOrganization({ name: 'Other' })).id
  stranger = await world.join(other, 'sam@other.test', 'owner')
})
afterAll(() => world.close())

export function useKey(secret: string, path = '/models'): Promise<Response> {
  return fetch(`${world.base}/openai/v1${path}`, { headers: { authorization: `Bearer ${secret}` } })
}

export function chat(secret: string, body: string, more: Record<string, string> = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more }
  return fetch(`${world.base}/openai/v1/chat/completions`, { method: 'POST', headers, body })
}

/** Somebody who has just joined acme. */
export function newcomer(role: Role = 'member', email = `${randomUUID()}@acme.test`): Promise<Visitor> {
  return world.join(acme, email, role)
}

export function putModel(body: { name: string; state?: string; ownedBy?: string }): Promise<Answer> {
  return people.admin.send('PUT', inAcme('/models'), { state: 'enabled', ...body })
}

/** The newest entries of acme's audit log. */
export async function audit(limit: number): Promise<AuditEntry[]> {
  return (await people.owner.get<{ entries: AuditEntry[] }>(inAcme(`/audit?limit=${limit}`))).body.entries
}

/** A device that is connected until the end of the test. */
export async function connectDevice(
  name: string,
  more: Partial<ScriptedDeviceOptions> = {},
  organization = acme,
): Promise<{ id: string; device: ScriptedDevice }> {
  const { device: id, credential } = await world.enrolDevice(organization, name)
  const device = await ScriptedDevice.connect({ gateway: world.base, credential, models: [], ...more })
  onTestFinished(() => device.close())
  return { id, device }
}

export async function makeKey(visitor: Visitor, body: object = {}): Promise<MadeKey> {
  return (await visitor.post<MadeKey>(inAcme('/keys'), { name: 'k', ...body })).body
}

export async function personOf(visitor: Visitor): Promise<string> {
  return (await visitor.get<{ person: { id: string } }>('/me')).body.person.id
}

export function inAcme(path = ''): string {
  return at(acme, path)
}
