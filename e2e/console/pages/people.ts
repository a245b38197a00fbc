import { totp } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../harness/axe.ts'
import { chooseInMenu, column, confirmByName, goOn, toast, visit } from '../harness/people.ts'
import { ORGANIZATION, OWNER, type ConsoleSystem } from '../harness/start-console.ts'

const PASSWORD = 'battery horse correct'
const LAST_PASSWORD = 'horse correct battery'
const EMAIL = 'of-people@example.test'

export function peoplePages(system: ConsoleSystem): void {
  let page: Page
  /** Someone without a session. */
  let guest: Page
  let organization: string

  beforeAll(async () => {
    ;({ page, organization } = await system.newOrganization(EMAIL))
    guest = await system.newPage()
    await visit(page, '/members')
  })

  async function invite(role: 'Member' | 'Admin', email = ''): Promise<string> {
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check()
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = (await dialog.getByLabel('Invitation link', { exact: true }).innerText()).trim()
    await dialog.getByRole('button', { name: 'Done' }).click()
    return link
  }

  /** Browsers load nothing again if only the part after # changes. */
  async function open(link: string): Promise<void> {
    await guest.goto('about:blank')
    await guest.goto(link)
  }

  async function signIn(password: string): Promise<void> {
    await guest.getByLabel('Password').fill(password)
    await guest.getByRole('button', { name: 'Sign in' }).click()
  }

  describe('Members', () => {
    let member: Page

    it('lets one person join with the role they were invited to', async () => {
      const link = await invite('Member', 'grace@example.test')
      await page.getByRole('table', { name: 'Open invitations' }).getByText('grace@example.test').waitFor()
      member = await system.newPage()
      await member.goto(link)
      await member.getByLabel('Your name').fill('Grace Hopper')
      await member.getByLabel('Password').fill(PASSWORD)
      await member.getByRole('button', { name: 'Join' }).click()
      await member.getByRole('heading', { name: 'Home' }).waitFor()
      await member.getByRole('button', { name: /Organization: Analytical Engines/ }).waitFor()
      await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
      await page.getByRole('table', { name: 'Open invitations' }).waitFor({ state: 'detached' })
      await open(link)
      await guest.getByText('This invitation is no longer valid.').waitFor()
    })

    it('hides actions from members, and says who has access to a page', async () => {
      for (const path of ['/models', '/devices', '/members']) {
        await goOn(member, path)
        for (const name of ['Add a model', 'Add a device', 'Invite someone', 'Actions for Ada Lovelace'])
          expect(await member.getByRole('button', { name }).count()).toBe(0)
      }
      expect(await member.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
      await goOn(member, '/audit')
      await member.getByText('Only admins can read the audit log').waitFor()
      await goOn(member, '/device')
      await member.getByText('Only admins can approve devices').waitFor()
      await goOn(member, '/')
      await expect.poll(async () => member.getByText('Ask an admin to do this').count()).toBe(2)
    })

    it('changes a role, and undoes it', async () => {
      await chooseInMenu(page, 'Actions for Grace Hopper', 'Admin')
      await toast(page, 'Grace Hopper is now an admin')
      await member.getByRole('link', { name: 'Audit log' }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('row', { name: /Grace Hopper.*Member/ }).waitFor()
    })

    it('keeps the last owner, and says why', async () => {
      await chooseInMenu(page, 'Actions for Ada Lovelace', 'Member')
      await toast(page, /at least one owner/)
      await page.getByRole('row', { name: /Ada Lovelace.*Owner/ }).waitFor()
      await chooseInMenu(page, 'Actions for Ada Lovelace', 'Leave')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(ORGANIZATION)
      await dialog.getByRole('button', { name: 'Leave organization' }).click()
      await dialog
        .getByRole('alert')
        .getByText(/at least one owner/)
        .waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    })

    it('removes a member by name, and says how many keys stop', async () => {
      await system.newKey(member, organization, 'hers')
      await visit(page, '/members')
      await chooseInMenu(page, 'Actions for Grace Hopper', 'Remove')
      await page.getByText('1 active key stops working immediately').waitFor()
      await confirmByName(page, 'Grace Hopper', 'Remove member')
      await toast(page, 'Member removed')
      await expect.poll(async () => column(page, 'Members', 'Name')).toHaveLength(1)
      await member.getByRole('heading', { name: 'No organization' }).waitFor()
    })

    it('revokes an invitation', async () => {
      const link = await invite('Admin')
      await chooseInMenu(page, 'Actions for the link for anyone', 'Revoke')
      await toast(page, 'Invitation revoked')
      await open(link)
      await guest.getByText('This invitation is no longer valid.').waitFor()
    })

    it('lets someone who has an account sign in and join with it', async () => {
      await open(await invite('Member'))
      await guest.getByRole('button', { name: 'I already have an account' }).click()
      await guest.getByLabel('Email').fill('grace@example.test')
      await signIn(PASSWORD)
      await guest.getByText("You're signed in as grace@example.test").waitFor()
      await guest.getByRole('button', { name: 'Join' }).click()
      await guest.getByRole('heading', { name: 'Home' }).waitFor()
      await system.call(guest, '/sign-out', {})
    })

    it('says who did what', async () => {
      await visit(page, '/audit')
      const sentences = (await column(page, 'Audit log', 'Event')).map((text) => text.split('\n')[0]!.trim())
      expect(sentences).toContain('Ada Lovelace removed member Grace Hopper')
      expect(sentences).toContain('Ada Lovelace changed the role of Grace Hopper')
      expect(sentences).toContain('Grace Hopper created key hers')
      await page.getByRole('searchbox').fill('created key')
      await expect.poll(async () => column(page, 'Audit log', 'Event')).toHaveLength(1)
    })

    it('loads older entries on request', async () => {
      for (let index = 0; index < 60; index++) await system.store.enableModel({ organization, name: `model-${index}` })
      await visit(page, '/audit')
      const before = (await column(page, 'Audit log', 'Event')).length
      expect(before).toBe(50)
      await page.getByRole('button', { name: 'Load older entries' }).click()
      await expect.poll(async () => (await column(page, 'Audit log', 'Event')).length).toBeGreaterThan(before)
    })
  })

  describe('your account', () => {
    it('rejects a wrong password, and then opens the page you asked for', async () => {
      await open('/keys')
      await guest.getByLabel('Email').fill(EMAIL)
      await guest.getByRole('button', { name: 'Sign in' }).click()
      await guest.getByRole('alert').getByText('Fill in this field.').waitFor()
      await guest.getByLabel('Password').fill('not the password')
      await guest.getByRole('button', { name: 'Show password' }).click()
      expect(await guest.getByLabel('Password').getAttribute('type')).toBe('text')
      await guest.getByRole('button', { name: 'Sign in' }).click()
      await guest.getByText('Wrong email or password.').waitFor()
      await signIn(OWNER.password)
      await guest.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
      await guest.getByRole('button', { name: /^You: / }).click()
      await guest.getByRole('menuitem', { name: 'Sign out' }).click()
      await guest.getByRole('button', { name: 'Sign in' }).waitFor()
    })

    it('changes your name and password', async () => {
      await visit(page, '/account')
      await page.getByLabel('Name').fill('Ada, Countess of Lovelace')
      await page.getByRole('button', { name: 'Save' }).click()
      await toast(page, 'Name saved')
      await page.getByRole('button', { name: /^You: Ada, Countess/ }).waitFor()
      await page.getByLabel('Current password').fill(OWNER.password)
      await page.getByLabel('New password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Change password' }).click()
      await toast(page, /Password changed/)
    })

    it('lists where you are signed in, and ends a session there at once', async () => {
      await system.call(guest, '/sign-in', { email: EMAIL, password: PASSWORD })
      await visit(guest, '/')
      await visit(page, '/account')
      await page.getByRole('listitem').filter({ hasText: 'This session' }).waitFor()
      await page.getByRole('button', { name: /^End the session of Chrome on / }).click()
      await page.getByRole('button', { name: 'End session' }).click()
      await toast(page, 'Session ended')
      await guest.getByText('Your session has ended.').waitFor()
      expect(await page.getByRole('button', { name: 'End all other sessions…' }).count()).toBe(0)
    })

    it('shows what happened to your account lately, and locks others out', async () => {
      const wrong = system.call(guest, '/sign-in', { email: EMAIL, password: 'not the password' })
      await expect(wrong).rejects.toThrow('Wrong email or password.')
      await system.call(guest, '/sign-in', { email: EMAIL, password: PASSWORD })
      await visit(guest, '/')
      await visit(page, '/account')
      const activity = page.getByRole('listitem')
      await activity
        .filter({ hasText: /^Wrong password/ })
        .first()
        .waitFor()
      await activity.filter({ hasText: 'Ended other sessions' }).waitFor()
      const signedIn = activity.filter({ hasText: /Signed in with your password.*From .*Chrome on / })
      await signedIn
        .first()
        .getByRole('button', { name: /^This wasn't me/ })
        .click()
      const dialog = page.getByRole('dialog')
      expect(await findViolations(page)).toEqual([])
      await dialog.getByLabel('Current password').fill(PASSWORD)
      await dialog.getByLabel('New password').fill(LAST_PASSWORD)
      await dialog.getByRole('button', { name: 'Change password' }).click()
      await toast(page, /Password changed/)
      await guest.getByText('Your session has ended.').waitFor()
      await activity.filter({ hasText: 'Changed the password' }).first().waitFor()
    })

    it('has the documentation of this version, found by its words', async () => {
      await visit(page, '/help')
      await page.keyboard.press('/')
      await page.keyboard.type('langchain structured')
      await page.getByRole('link', { name: 'Connect LangChain' }).click()
      await page.getByRole('heading', { name: 'Connect LangChain', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Copy code' }).first().waitFor()
      await page.getByRole('link', { name: 'clients', exact: true }).click()
      await page.getByRole('navigation', { name: 'On this page' }).getByText('At a glance').click()
      await expect.poll(() => new URL(page.url()).hash).toBe('#at-a-glance')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('predict_and_call')
      await page.getByRole('option', { name: 'Connect LlamaIndex', exact: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Connect LlamaIndex', level: 1 }).waitFor()
    })

    it('turns on two-factor authentication, and then asks for a code', async () => {
      await visit(page, '/account')
      await page.getByRole('button', { name: 'Set up…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Your password').fill(LAST_PASSWORD)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByRole('img', { name: /QR code/ }).waitFor()
      const uri = `otpauth://totp/?secret=${(await dialog.getByLabel('Secret', { exact: true }).innerText()).trim()}`
      await dialog.getByLabel('Code from the app').fill(totp(uri))
      await dialog.getByRole('button', { name: 'Turn on' }).click()
      await toast(page, 'Two-factor authentication is on')

      await open('/')
      await guest.getByLabel('Email').fill(EMAIL)
      await signIn(LAST_PASSWORD)
      // The one before was used.
      await guest.getByLabel('Code from your authenticator app').fill(totp(uri, 1))
      await guest.getByRole('button', { name: 'Continue' }).click()
      await guest.getByRole('heading', { name: 'Home' }).waitFor()
    })
  })
}
