// Fills an organization with members, all kinds of devices, models in every state, keys and usage.

import { randomUUID } from 'node:crypto'
import { versionOf } from '@hearth/command-line/version'
import { createInvitationToken } from '@hearth/gateway'
import {
  createEnrolmentToken,
  createKey,
  ScriptedDevice,
  type ScriptedDeviceOptions,
  type Store,
} from '@hearth/gateway/testing'
import { FEATURES, type DeviceModel } from '@hearth/protocol'
import devicePackage from '../../../packages/device/package.json' with { type: 'json' }
import { createToken, enrolDevice, type EnrolledDevice } from '../../harness/enrol-device.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The organization created during setup. */
export async function theOrganization(store: Store): Promise<string> {
  const [organization] = await store.listOrganizations()
  if (!organization) throw new Error('There is no organization yet')
  return organization.id
}

/** An organization as `npm start` makes one: it has an owner, who can't sign in before they use the link. */
export async function inviteOwner(store: Store, name: string): Promise<{ organization: string; token: string }> {
  const owner = { email: `${randomUUID()}@localhost`, name: 'Owner' }
  const { id: organization } = await store.createOrganization({ name, owner })
  const [made] = await store.listMembers(organization)
  const { key: token, digest } = createInvitationToken()
  const expiresAt = new Date(Date.now() + HOUR_MS)
  await store.createInvitation({ organization, role: 'owner', digest, expiresAt, claims: made!.person })
  return { organization, token }
}

async function enrol(store: Store, origin: string, name: string, organization?: string): Promise<EnrolledDevice> {
  return enrolDevice(store, { origin, organization: organization ?? (await theOrganization(store)), name })
}

/** A token of the organization created during setup. */
export async function tokenOf(store: Store): Promise<string> {
  return createToken(store, await theOrganization(store))
}

/** Without an organization, a device joins the one created during setup. */
export type LinkOptions = Partial<Omit<ScriptedDeviceOptions, 'gateway' | 'credential'>> & {
  name: string
  organization?: string
}

export async function linkDevice(
  store: Store,
  origin: string,
  { name, organization, ...options }: LinkOptions,
): Promise<ScriptedDevice> {
  const { credential } = await enrol(store, origin, name, organization)
  return ScriptedDevice.connect({ gateway: origin, credential, models: [], ...options })
}

/** Two machines with one credential take each other's place until one is rejected. */
export async function fightOverCredential(store: Store, origin: string, name: string): Promise<ScriptedDevice[]> {
  const { credential } = await enrol(store, origin, name)
  const dial = (boot: string) => new ScriptedDevice({ gateway: origin, credential, models: [], boot })
  const devices: ScriptedDevice[] = []
  for (const boot of ['one', 'two', 'one', 'two', 'one']) {
    const device = dial(boot)
    devices.push(device)
    await Promise.race([device.welcome, device.closed]).catch(() => {})
  }
  return devices
}

/** The devices stop with the gateway. */
export async function fillOrganization(store: Store, origin: string): Promise<ScriptedDevice[]> {
  const organization = await theOrganization(store)
  for (const { name, email, role } of PEOPLE) await store.addMember({ organization, name, email, role })
  for (const name of ['qwen3:8b', 'llama-3.3-70b-instruct', 'gemma-3-27b-it', 'mistral-small-24b'])
    await store.enableModel({ organization, name })
  await store.enableModel({ organization, name: 'phi-4-mini' })
  await store.disableModel({ organization, name: 'phi-4-mini' })
  const devices = []
  for (const device of LINKED) devices.push(await linkDevice(store, origin, device))
  const gone = await enrol(store, origin, 'Reception iMac')
  const app = versionOf(devicePackage)
  await store.devicesSeen([{ device: gone.device, app, at: new Date(Date.now() - 3 * DAY_MS) }])
  await enrol(store, origin, 'New laptop of Grace')
  await fillKeys(store, organization)
  await store.changeSettings({ organization, tokensPerMonth: 10_000_000 })
  await store.createInvitation({
    organization,
    role: 'member',
    email: 'alan@example.test',
    digest: createEnrolmentToken().digest,
    expiresAt: new Date(Date.now() + 6 * DAY_MS),
  })
  return devices
}

const PEOPLE = [
  { name: 'Grace Hopper', email: 'grace@example.test', role: 'admin' },
  { name: 'Katherine Johnson', email: 'katherine@example.test', role: 'member' },
  { name: 'Hedy Lamarr', email: 'hedy@example.test', role: 'member' },
] as const

function model(name: string, slots: number, contextLength: number, features = [...FEATURES]): DeviceModel {
  return { name, slots, contextLength, features }
}

const LINKED: readonly LinkOptions[] = [
  {
    name: 'GPU server in the basement',
    models: [model('llama-3.3-70b-instruct', 4, 131_072), model('qwen3:8b', 8, 32_768), model('qwen3:0.6b', 8, 32_768)],
  },
  { name: 'Mac Studio', models: [model('qwen3:8b', 4, 40_960), model('gemma-3-27b-it', 2, 131_072)] },
  { name: "Katherine's ThinkPad", app: '0.0.9', models: [model('qwen3:8b', 1, 8_192, ['usage', 'tools'])] },
  { name: 'Build server', models: [model('nomic-chat', 2, 8_192, ['usage'])] },
]

const KEYS = [
  { name: 'Support chat', limits: { requestsPerMinute: 120, tokensPerMinute: 200_000, tokensPerMonth: 4_000_000 } },
  { name: 'Nightly summaries', limits: { jobsAtOnce: 2 }, models: ['qwen3:8b'] },
  { name: 'CI', expiresAt: new Date(Date.now() + 20 * DAY_MS) },
  { name: 'Old prototype' },
]

async function fillKeys(store: Store, organization: string): Promise<void> {
  const members = await store.listMembers(organization)
  const ids: string[] = []
  for (const [index, key] of KEYS.entries()) {
    const { digest, hint } = createKey()
    const createdBy = members[index % members.length]!.person
    const { id } = await store.createKey({ organization, createdBy, digest, hint, ...key })
    ids.push(id)
  }
  await store.revokeKey({ organization, key: ids.at(-1)! })
  await store.touchKeys(ids.slice(0, 2).map((key, index) => ({ key, at: new Date(Date.now() - index * 5 * HOUR_MS) })))
  await fillUsage(store, organization, ids)
}

async function fillUsage(store: Store, organization: string, keys: readonly string[]): Promise<void> {
  const devices = await store.listDevices(organization)
  const hours = Array.from({ length: 72 }, (_, index) => index)
  await store.addUsage(
    hours.flatMap((ago) =>
      ['qwen3:8b', 'llama-3.3-70b-instruct'].map((name, index) => {
        const requests = Math.round(40 * (1 + Math.sin(ago / 4 + index)) + (ago % 5))
        return {
          organization,
          hour: new Date(Math.floor((Date.now() - ago * HOUR_MS) / HOUR_MS) * HOUR_MS),
          key: keys[(ago + index) % 2]!,
          model: name,
          device: devices[index]!.id,
          requests,
          errors: ago % 17 === 0 ? 3 : 0,
          promptTokens: requests * 430,
          completionTokens: requests * 160,
          waitMs: requests * 35,
          busyMs: requests * (900 + 700 * index),
        }
      }),
    ),
  )
}
