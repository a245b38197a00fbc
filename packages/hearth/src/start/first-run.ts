// Prepares a new data folder: an organization with an owner, an API key, and this machine as a device. Nothing is created twice, and nothing
// that people removed comes back. The key comes last, when everything else is ready to be shown.

import {
  createEnrolmentToken,
  createInvitationToken,
  createKey,
  digestSecret,
  isKey,
  type Store,
} from '@hearth/gateway'
import { loginName, personOf } from '@hearth/command-line/machine/login-name'
import type { FirstStart } from './first-start.ts'
import { UsageError } from './options.ts'

export interface Household {
  organization: string
  owner: string
}

const FIRST_KEY = 'First key'
const OWNER = { email: 'owner@localhost', name: 'Owner' }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function prepareHousehold(store: Store, firstStart: FirstStart): Promise<Household> {
  const [known] = await store.listOrganizations()
  if (known === undefined) firstStart.begin()
  const person = personOf(loginName())
  // Until its owner chooses another one at the first visit.
  const name = person === undefined ? 'My team' : `${person}'s team`
  const { id: organization } = known ?? (await store.createOrganization({ name, owner: OWNER }))
  return { organization, owner: await findOwner(store, organization) }
}

async function findOwner(store: Store, organization: string): Promise<string> {
  const members = await store.listMembers(organization)
  const owner = members.find(({ role }) => role === 'owner')
  if (!owner) throw new Error('Cannot start: the organization has no owner')
  return owner.person
}

export function checkBootstrapKey(key: string | undefined): void {
  if (key !== undefined && !isKey(key))
    throw new UsageError(
      'HEARTH_BOOTSTRAP_KEY is not a Hearth API key. Use one that a Hearth has created: hearth admin key create <name>',
    )
}

/** The plain key, to be shown now. */
export async function makeFirstKey(
  store: Store,
  { organization, owner }: Household,
  chosen: string | undefined,
): Promise<string> {
  const secret =
    chosen === undefined ? createKey() : { key: chosen, digest: digestSecret(chosen), hint: chosen.slice(-4) }
  const isThere = (await store.accessKeys()).some(({ digest }) => digest === secret.digest)
  if (isThere) return secret.key
  await revokeUnseen(store, organization)
  await store.createKey({
    organization,
    createdBy: owner,
    name: FIRST_KEY,
    digest: secret.digest,
    hint: secret.hint,
  })
  return secret.key
}

/** A start that was interrupted just before its panel may have left one that nobody has seen. */
async function revokeUnseen(store: Store, organization: string): Promise<void> {
  const keys = await store.listKeys(organization)
  for (const { id: key, name, revokedAt } of keys)
    if (name === FIRST_KEY && revokedAt === undefined) await store.revokeKey({ organization, key })
}

/** A one-time token that lets this machine join as a device. */
export async function makeEnrolment(store: Store, organization: string): Promise<string> {
  const token = createEnrolmentToken()
  await store.createEnrolment({ organization, digest: token.digest, expiresAt: new Date(Date.now() + HOUR_MS) })
  return token.key
}

/** The same for a Hearth that runs already. */
export async function findOwnerLink(store: Store): Promise<string | undefined> {
  const [known] = await store.listOrganizations()
  return known && makeOwnerLink(store, { organization: known.id, owner: await findOwner(store, known.id) })
}

/** The path of a one-time link that makes its visitor the owner; undefined once the owner can sign in. */
export async function makeOwnerLink(store: Store, { organization, owner }: Household): Promise<string | undefined> {
  if ((await store.signInWays(owner)).hasPassword) return undefined
  const token = createInvitationToken()
  const expiresAt = new Date(Date.now() + 7 * DAY_MS)
  await store.createInvitation({ organization, role: 'owner', digest: token.digest, expiresAt, claims: owner })
  return `/invitation#${token.key}`
}

export async function listEnabled(store: Store, organization: string): Promise<string[]> {
  const models = await store.accessModels()
  return models
    .filter((model) => model.organization === organization && model.state === 'enabled')
    .map(({ name }) => name)
}

/** Enables models that are new. Models that an administrator disabled or removed stay that way. */
export async function enableNewModels(store: Store, organization: string, names: readonly string[]): Promise<void> {
  const known = await store.accessModels()
  for (const name of names)
    if (!known.some((model) => model.organization === organization && model.name === name))
      await store.enableModel({ organization, name })
}
