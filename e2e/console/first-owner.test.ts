import { createInvitationToken } from '@hearth/gateway'
import { afterAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { OWNER, startConsole } from './harness/start-console.ts'

const HOUR_MS = 3_600_000

const system = await startConsole()
afterAll(async () => system[Symbol.asyncDispose]())

/** The link that `npm start` prints: its organization and owner exist already, but nobody can sign in. */
async function ownersLink(): Promise<string> {
  const { store } = system
  const { id: organization } = await store.createOrganization({
    name: 'My team',
    owner: { email: 'owner@localhost', name: 'Owner' },
  })
  const [owner] = await store.listMembers(organization)
  const { key, digest } = createInvitationToken()
  const expiresAt = new Date(Date.now() + HOUR_MS)
  await store.createInvitation({ organization, role: 'owner', digest, expiresAt, claims: owner!.person })
  return `/invitation#${key}`
}

describe('the link that npm start prints', () => {
  it('welcomes the owner and asks for the name of the organization', async () => {
    const link = await ownersLink()
    const page = await system.newPage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor()
    await page.getByText('Create the owner account').waitFor()
    expect(await page.getByText('invited').count()).toBe(0)
    const organization = page.getByLabel('Organization')
    expect(await organization.inputValue()).toBe('My team')
    await organization.fill('Lovelace family')
    await page.getByLabel('Your name').fill(OWNER.name)
    await page.getByLabel('Email').fill(OWNER.email)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Create owner account' }).click()
    await page.getByRole('button', { name: 'Organization: Lovelace family' }).waitFor()
    const [known] = await system.store.listOrganizations()
    expect(known).toMatchObject({ id: await theOrganization(system.store), name: 'Lovelace family' })
    await page.context().close()
  })

  it('[Q15] loads nothing from other origins and logs no errors', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})
