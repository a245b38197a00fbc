// Finds what an operator's arguments refer to. If there is no match, the error lists what is available.

import type { Device } from '../store/devices/device-rows.ts'
import type { Key } from '../store/keys/key-rows.ts'
import type { Member } from '../store/people/member-rows.ts'
import type { Organization } from '../store/people/organization-rows.ts'
import type { Store } from '../store/store.ts'
import { InputError } from './input-error.ts'

export async function findOrganization(store: Store, text: string | undefined): Promise<Organization> {
  const all = await store.listOrganizations()
  const [first, ...others] = all
  if (!first)
    throw new InputError('There is no organization yet. Create one with: organization create <name> --owner <email>')
  if (text !== undefined) return one(all, text, { kind: 'organization' }, ({ id, name }) => [id, name])
  if (others.length === 0) return first
  throw new InputError(
    `There are several organizations. Choose one with --organization <name>: ${list(all.map(({ name }) => name))}`,
  )
}

export async function findMember(
  store: Store,
  organization: Pick<Organization, 'id' | 'name'>,
  email: string,
): Promise<Member> {
  const members = await store.listMembers(organization.id)
  return one(members, email, { kind: 'member', organization }, (member) => [member.person, member.email])
}

/** The member that a key belongs to: the one named, or the only owner. */
export async function findCreator(store: Store, organization: Organization, email?: string): Promise<Member> {
  if (email !== undefined) return findMember(store, organization, email)
  const owners = (await store.listMembers(organization.id)).filter(({ role }) => role === 'owner')
  const [owner, ...others] = owners
  if (owner && others.length === 0) return owner
  const who = owner === undefined ? 'has no owner' : `has several owners: ${list(owners.map((owner) => owner.email))}`
  throw new InputError(`Choose who the key belongs to with --creator <email>: ${organization.name} ${who}`)
}

export async function findKey(store: Store, organization: Organization, text: string): Promise<Key> {
  const keys = (await store.listKeys(organization.id)).filter(({ revokedAt }) => revokedAt === undefined)
  return one(keys, text, { kind: 'active key', organization }, ({ id, name, hint }) => [id, name, hint])
}

export async function findDevice(store: Store, organization: Organization, text: string): Promise<Device> {
  const devices = await store.listDevices(organization.id)
  return one(devices, text, { kind: 'device', organization }, ({ id, name }) => [id, name])
}

/** The only match for this text. Names match in any case. */
function one<Thing extends { name: string }>(
  things: readonly Thing[],
  text: string,
  { kind, organization }: { kind: string; organization?: Pick<Organization, 'name'> },
  names: (thing: Thing) => string[],
): Thing {
  const found = things.filter((thing) => names(thing).some((name) => name.toLowerCase() === text.toLowerCase()))
  const [first, ...others] = found
  if (first && others.length === 0) return first
  const available = list(
    things.map((thing) => `${names(thing).slice(1).join(', ') || thing.name} (${names(thing)[0]})`),
  )
  const subject = organization ? `${organization.name} has` : 'There is'
  if (first === undefined) throw new InputError(`${subject} no ${kind} "${text}". Available: ${available}`)
  throw new InputError(`Several ${kind}s match "${text}". Use the id: ${available}`)
}

const MOST_LISTED = 20

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length - MOST_LISTED
  return names.slice(0, MOST_LISTED).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
