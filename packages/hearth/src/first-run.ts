// Prepares a new data folder: an organization with an owner, an API key, and this machine as a device. Nothing is created twice, and nothing
// that people removed comes back.

import {
  createEnrolmentToken,
  createInvitationToken,
  createKey,
  digestSecret,
  isKey,
  type Store,
} from '@hearth/gateway'
import { UsageError } from './options.ts'

export interface Household {
  organization: string
  owner: string
  /** The plain key, only in the run that created it. */
  newKey: string | undefined
}

const OWNER = { email: 'owner@localhost', name: 'Owner' }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function prepareHousehold(store: Store, bootstrapKey: string | undefined): Promise<Household> {
  const [known] = await store.listOrganizations()
  if (known) return await findHousehold(store, known.id)
  const { id: organization } = await store.createOrganization({ name: 'Home', owner: OWNER })
  const owner = await findOwner(store, organization)
  return { organization, owner, newKey: await makeKey(store, organization, owner, bootstrapKey) }
}

async function findHousehold(store: Store, organization: string): Promise<Household> {
  return { organization, owner: await findOwner(store, organization), newKey: undefined }
}

async function findOwner(store: Store, organization: string): Promise<string> {
  const members = await store.listMembers(organization)
  const owner = members.find(({ role }) => role === 'owner')
  if (!owner) throw new Error('Cannot start: the organization has no owner')
  return owner.person
}

async function makeKey(
  store: Store,
  organization: string,
  createdBy: string,
  chosen: string | undefined,
): Promise<string> {
  if (chosen !== undefined && !isKey(chosen))
    throw new UsageError('HEARTH_BOOTSTRAP_KEY is not a Hearth API key. Create one with: npm run admin -- key new')
  const secret =
    chosen === undefined ? createKey() : { key: chosen, digest: digestSecret(chosen), hint: chosen.slice(-4) }
  await store.createKey({ organization, createdBy, name: 'First key', digest: secret.digest, hint: secret.hint })
  return secret.key
}

/** A one-time token that lets this machine join as a device. */
export async function makeEnrolment(store: Store, organization: string): Promise<string> {
  const token = createEnrolmentToken()
  await store.createEnrolment({ organization, digest: token.digest, expiresAt: new Date(Date.now() + HOUR_MS) })
  return token.key
}

/** The path of a one-time link that makes its visitor the owner; undefined once the owner can sign in. */
export async function makeOwnerLink(store: Store, { organization, owner }: Household): Promise<string | undefined> {
  if ((await store.signInWays(owner)).hasPassword) return undefined
  const token = createInvitationToken()
  const expiresAt = new Date(Date.now() + 7 * DAY_MS)
  await store.createInvitation({ organization, role: 'owner', digest: token.digest, expiresAt, claims: owner })
  return `/invitation#${token.key}`
}

/** Enables models that are new. Models that an administrator disabled or removed stay that way. */
export async function enableNewModels(store: Store, organization: string, names: readonly string[]): Promise<void> {
  const known = await store.accessModels()
  for (const name of names)
    if (!known.some((model) => model.organization === organization && model.name === name))
      await store.enableModel({ organization, name })
}
