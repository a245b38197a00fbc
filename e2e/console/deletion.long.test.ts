import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { confirmByName, toast, visit } from './harness/people.ts'
import { ORGANIZATION, OWNER, startConsole } from './harness/start-console.ts'

const system = await startConsole()
let page: Page

beforeAll(async () => {
  page = await system.ownersPage()
})
afterAll(async () => system[Symbol.asyncDispose]())

describe('your account', () => {
  it('is not deleted while you are the only owner, and needs your address and password', async () => {
    await visit(page, '/account')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Delete account' })
    expect(await button.isDisabled()).toBe(true)
    expect(await findViolations(page)).toStrictEqual([])
    await dialog.getByLabel('Your email address').fill(OWNER.email)
    await dialog.getByLabel('Your password').fill(OWNER.password)
    await button.click()
    await dialog.getByText(`You are the only owner of ${ORGANIZATION}`, { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('an organization', () => {
  it('is deleted by its name, says when it will be gone, and is restored', async () => {
    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('any owner can restore the organization').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
    await confirmByName(page, ORGANIZATION, 'Delete organization')
    await page.getByText(/This organization will be deleted on/).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findViolations(page)).toStrictEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await toast(page, 'Organization restored')
    await expect.poll(async () => page.getByText(/will be deleted on/).count()).toBe(0)
  })

  it('does not keep its last owner once it is deleted', async () => {
    await visit(page, '/settings')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await confirmByName(page, ORGANIZATION, 'Delete organization')
    await visit(page, '/account')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your email address').fill(OWNER.email)
    await dialog.getByLabel('Your password').fill(OWNER.password)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    // Nobody is left who could sign in. The gateway may take a few seconds to notice.
    const signIn = page.getByRole('button', { name: 'Sign in' })
    await signIn.or(page.getByText('This gateway is not set up yet')).first().waitFor()
  })
})
