// Two organizations with people in every role, for tests of the console API.

import { onTestFinished } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from './console-world.ts'
import { ScriptedDevice, type ScriptedDeviceOptions } from './scripted-device.ts'
import { Visitor, type Answer } from './visitor.ts'
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

export class ConsoleFixture {
  world!: ConsoleWorld
  acme!: string
  other!: string
  /** Members of acme. */
  people!: Record<Role, Visitor>
  /** The owner of the other organization. */
  stranger!: Visitor

  async open(url: string): Promise<void> {
    this.world = await openConsoleWorld(url, { PEOPLE_MAKE_ORGANIZATIONS: 'true' })
    const owner = await this.world.setUp('olga@acme.test', 'Acme')
    this.acme = owner.organization
    const admin = await this.world.join(this.acme, 'adam@acme.test', 'admin')
    const member = await this.world.join(this.acme, 'mia@acme.test', 'member')
    this.people = { owner, admin, member }
    this.other = (await this.world.store.createOrganization({ name: 'Other' })).id
    this.stranger = await this.world.join(this.other, 'sam@other.test', 'owner')
  }

  useKey(secret: string, path = '/models'): Promise<Response> {
    return fetch(`${this.world.base}/openai/v1${path}`, { headers: { authorization: `Bearer ${secret}` } })
  }

  chat(secret: string, body: string, more: Record<string, string> = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more }
    return fetch(`${this.world.base}/openai/v1/chat/completions`, { method: 'POST', headers, body })
  }

  putModel(body: { name: string; state?: string; ownedBy?: string }): Promise<Answer> {
    return this.people.admin.send('PUT', at(this.acme, '/models'), { state: 'enabled', ...body })
  }

  /** The newest entries of acme's audit log. */
  async audit(limit: number): Promise<AuditEntry[]> {
    return (await this.people.owner.get<{ entries: AuditEntry[] }>(at(this.acme, `/audit?limit=${limit}`))).body.entries
  }

  /** A device that is connected until the end of the test. */
  async connect(name: string, more: Partial<ScriptedDeviceOptions> = {}, organization = this.acme) {
    const { device: id, credential } = await this.world.enrolDevice(organization, name)
    const device = await ScriptedDevice.connect({ gateway: this.world.base, credential, models: [], ...more })
    onTestFinished(() => device.close())
    return { id, device }
  }

  async makeKey(visitor: Visitor, body: object = {}): Promise<MadeKey> {
    return (await visitor.post<MadeKey>(at(this.acme, '/keys'), { name: 'k', ...body })).body
  }

  async personOf(visitor: Visitor): Promise<string> {
    return (await visitor.get<{ person: { id: string } }>('/me')).body.person.id
  }
}

export function at(organization: string, path = ''): string {
  return `/organizations/${organization}${path}`
}

export function codes(answers: readonly Answer[]): (string | undefined)[] {
  return answers.map((answer) => Visitor.code(answer))
}
