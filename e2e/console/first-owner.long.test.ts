import { afterAll, describe, expect, it } from 'vitest'
import { inviteOwner } from './harness/fill.ts'
import { OWNER, startConsole } from './harness/start-console.ts'

const system = await startConsole()
afterAll(async () => system[Symbol.asyncDispose]())

describe('the link that npm start prints', () => {
  it('welcomes the owner and asks for the name of the organization', async () => {
    const { organization: id, token } = await inviteOwner(system.store, 'My team')
    const page = await system.newPage()
    await page.goto(`/invitation#${token}`)
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
    expect(await system.store.listOrganizations()).toContainEqual(
      expect.objectContaining({ id, name: 'Lovelace family' }),
    )
    await page.context().close()
  })
})
