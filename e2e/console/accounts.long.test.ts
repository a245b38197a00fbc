// Accounts from the first to the last: a new owner, someone who joins with a password of their own, and how accounts and organizations end.

import { createInvitationToken } from '@hearth/gateway'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { inviteOwner } from './harness/fill.ts'
import { confirmByName, createOwner, toast, visit } from './harness/people.ts'
import { ORGANIZATION, OWNER, startConsole } from './harness/start-console.ts'

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
    expect(await page.getByLabel('Organization').inputValue()).toBe('My team')
    await createOwner(page)
    await page.getByRole('button', { name: 'Organization: Analytical Engines' }).waitFor()
    expect(await system.store.listOrganizations()).toContainEqual(expect.objectContaining({ id, name: ORGANIZATION }))
    await page.context().close()
  })
})

async function openInvitation() {
  const { id: organization } = await system.store.createOrganization({ name: 'Acme' })
  const { key, digest } = createInvitationToken()
  const expiresAt = new Date(Date.now() + 3_600_000)
  await system.store.createInvitation({ organization, role: 'member', digest, expiresAt })
  const page = await system.newPage()
  await page.goto(`/invitation#${key}`)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Email').fill('grace.hopper@example.test')
  return page
}

it('says in words how hard a new password is to guess, without sending it, and the gateway agrees', async () => {
  const page = await openInvitation()
  const bodies: string[] = []
  page.on('request', (request) => bodies.push(request.postData() ?? ''))
  const password = page.getByLabel('Password')
  const status = page.getByRole('status')
  for (const [typed, said] of [
    ['short', 'Use at least 10 characters.'],
    ['password12', /easy to guess/],
    ['my hopper is yellow', /Leave out your email address/],
    ['dragon8274!', 'Strength: fair'],
    ['velvet otter plays chess at noon', 'Strength: strong'],
  ] as const) {
    await password.fill(typed)
    await status.filter({ hasText: said }).waitFor()
  }
  expect(bodies.join('')).toBe('')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const typed of ['dragon8274!', 'password12']) {
      await password.fill(typed)
      expect(await findViolations(page)).toEqual([])
    }
  }
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').filter({ hasText: 'easy to guess' }).waitFor()
  await password.fill('velvet otter plays chess at noon')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.context().close()
})

describe('at the end', () => {
  let page: Page

  beforeAll(async () => {
    page = await system.ownersPage()
  })

  async function deleteAccount(): Promise<Locator> {
    await visit(page, '/account')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete account' })
    expect(await button.isDisabled()).toBe(true)
    expect(await findViolations(page)).toStrictEqual([])
    await dialog.getByLabel('Your email address').fill(OWNER.email)
    await dialog.getByLabel('Your password').fill(OWNER.password)
    await button.click()
    return dialog
  }

  async function deleteOrganization(): Promise<void> {
    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('any owner can restore the organization').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await confirmByName(page, ORGANIZATION, 'Delete organization')
    await page.getByText(/This organization will be deleted on/).waitFor()
  }

  it('your account is not deleted while you are the only owner, and needs your address and password', async () => {
    const dialog = await deleteAccount()
    await dialog.getByText(`You are the only owner of ${ORGANIZATION}`, { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('an organization is deleted by its name, says when it will be gone, and is restored', async () => {
    await deleteOrganization()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findViolations(page)).toStrictEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await toast(page, 'Organization restored')
    await expect.poll(async () => page.getByText(/will be deleted on/).count()).toBe(0)
  })

  it('an organization does not keep its last owner once it is deleted', async () => {
    await deleteOrganization()
    await deleteAccount()
    // Nobody is left who could sign in. The gateway may take a few seconds to notice.
    const signIn = page.getByRole('button', { name: 'Sign in' })
    await signIn.or(page.getByText('This gateway is not set up yet')).first().waitFor()
  })
})
