// From the words an operator types to the things they mean. What is not found is answered with what there is.

import type { Device, Key, Member, Organization, Store } from '../store/store.ts'
import { InputError } from './input-error.ts'

export async function findOrganization(store: Store, text: string | undefined): Promise<Organization> {
  const all = await store.listOrganizations()
  if (all.length === 0)
    throw new InputError('There is no organization yet. Make one with: organization create <name> --owner <email>')
  if (text !== undefined) return one(all, text, 'organization', ({ id, name }) => [id, name])
  if (all.length === 1) return all[0]!
  throw new InputError(`Say which organization with --organization <name>: ${list(all.map(({ name }) => name))}`)
}

export async function findMember(
  store: Store,
  organization: Pick<Organization, 'id' | 'name'>,
  email: string,
): Promise<Member> {
  const members = await store.listMembers(organization.id)
  return one(members, email, `member of ${organization.name}`, (member) => [member.person, member.email])
}

/** Whose membership keeps a key alive: the member named, or the only owner. */
export async function findCreator(store: Store, organization: Organization, email?: string): Promise<Member> {
  if (email !== undefined) return findMember(store, organization, email)
  const owners = (await store.listMembers(organization.id)).filter(({ role }) => role === 'owner')
  if (owners.length === 1) return owners[0]!
  const who = owners.length === 0 ? 'has no owner' : `has several owners: ${list(owners.map((owner) => owner.email))}`
  throw new InputError(`Say whose key it is with --creator <email>. ${organization.name} ${who}`)
}

export async function findKey(store: Store, organization: Organization, text: string): Promise<Key> {
  const keys = (await store.listKeys(organization.id)).filter(({ revokedAt }) => revokedAt === undefined)
  return one(keys, text, `usable key of ${organization.name}`, ({ id, name, hint }) => [id, name, hint])
}

export async function findDevice(store: Store, organization: Organization, text: string): Promise<Device> {
  return one(await store.listDevices(organization.id), text, `device of ${organization.name}`, ({ id, name }) => [
    id,
    name,
  ])
}

/** The only thing that goes by this text; names match in any case. */
function one<Thing extends { name: string }>(
  things: readonly Thing[],
  text: string,
  kind: string,
  names: (thing: Thing) => string[],
): Thing {
  const found = things.filter((thing) => names(thing).some((name) => name.toLowerCase() === text.toLowerCase()))
  if (found.length === 1) return found[0]!
  const there = list(things.map((thing) => `${names(thing).slice(1).join(', ') || thing.name} (${names(thing)[0]})`))
  if (found.length === 0) throw new InputError(`There is no ${kind} "${text}". There is: ${there}`)
  throw new InputError(`Several go by "${text}". Name the ${kind} by its id: ${there}`)
}

const MOST_LISTED = 20

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const rest = names.length - MOST_LISTED
  return names.slice(0, MOST_LISTED).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
