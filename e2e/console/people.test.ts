import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { column, confirmByName, toast, visit } from './harness/people.ts'
import { ORGANIZATION, OWNER, startConsole } from './harness/start-console.ts'

const system = await startConsole()
const PASSWORD = 'battery horse correct'
let page: Page

beforeAll(async () => {
  page = await system.ownersPage()
})
afterAll(async () => system[Symbol.asyncDispose]())

async function invite(role: 'Member' | 'Admin', email = ''): Promise<string> {
  await visit(page, '/members')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: role }).check()
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = (await dialog.getByLabel('Invitation link', { exact: true }).innerText()).trim()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

async function join(link: string, name: string, email: string): Promise<Page> {
  const guest = await system.newPage()
  await guest.goto(link)
  await guest.getByLabel('Your name').fill(name)
  if (await guest.getByLabel('E-mail').isEditable()) await guest.getByLabel('E-mail').fill(email)
  await guest.getByLabel('Password').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.getByRole('heading', { name: 'Start' }).waitFor()
  return guest
}

describe('Members', () => {
  let member: Page

  it('[Q4] lets somebody join by a link, as what they were invited', async () => {
    const link = await invite('Member', 'grace@example.test')
    await page.getByRole('table', { name: 'Open invitations' }).getByText('grace@example.test').waitFor()
    member = await join(link, 'Grace Hopper', 'grace@example.test')
    await member.getByRole('button', { name: /Organization: Analytical Engines/ }).waitFor()
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
    await page.getByRole('table', { name: 'Open invitations' }).waitFor({ state: 'detached' })
    const again = await system.newPage()
    await again.goto(link)
    await again.getByText('This invitation is not valid any more').waitFor()
  })

  it('[Q11] shows members no actions that they may not do', async () => {
    for (const path of ['/models', '/devices', '/members']) {
      await visit(member, path)
      for (const name of ['Enable a model', 'Add a device', 'Invite somebody', 'Remove Ada Lovelace'])
        expect(await member.getByRole('button', { name }).count()).toBe(0)
    }
    expect(await member.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await member.goto('/audit')
    await member.getByText('Admins read the audit log').waitFor()
    await member.goto('/device')
    await member.getByText('Admins approve devices').waitFor()
    await member.goto('/')
    await expect.poll(async () => member.getByText('An admin of the organization does this').count()).toBe(2)
  })

  it('[Q8] changes a role, and takes it back', async () => {
    await visit(page, '/members')
    await page.getByLabel('Role of Grace Hopper').selectOption('admin')
    await toast(page, 'Grace Hopper is now admin')
    await member.getByRole('link', { name: 'Audit' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => page.getByLabel('Role of Grace Hopper').inputValue()).toBe('member')
  })

  it('[Q8] says why the last owner stays owner, and cannot leave', async () => {
    await visit(page, '/members')
    await page.getByLabel('Role of Ada Lovelace').selectOption('member')
    await toast(page, /at least one owner/)
    expect(await page.getByLabel('Role of Ada Lovelace').inputValue()).toBe('owner')
    await page.getByRole('button', { name: 'Leave' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(ORGANIZATION)
    await dialog.getByRole('button', { name: 'Leave organization' }).click()
    await dialog.getByText(/at least one owner/).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('[Q8] removes by name, and tells which keys stop', async () => {
    await system.call(member, `/organizations/${await theOrganization(system.store)}/keys`, { name: 'hers' })
    await visit(page, '/members')
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await page.getByText('1 active key of theirs stops working at once').waitFor()
    await confirmByName(page, 'Grace Hopper', 'Remove person')
    await toast(page, 'Person removed')
    expect(await column(page, 'Members', 'Person')).toHaveLength(1)
    await member.getByRole('heading', { name: 'No organization' }).waitFor()
  })

  it('[Q8] revokes an invitation', async () => {
    const link = await invite('Admin')
    await page.getByRole('table', { name: 'Open invitations' }).getByRole('button', { name: 'Revoke' }).click()
    await toast(page, 'Invitation revoked')
    const guest = await system.newPage()
    await guest.goto(link)
    await guest.getByText('This invitation is not valid any more').waitFor()
  })

  it('[Q4] lets somebody who has an account sign in first, and join as who they are', async () => {
    const link = await invite('Member')
    const guest = await system.newPage()
    await guest.goto(link)
    await guest.getByRole('button', { name: 'I have an account here' }).click()
    await guest.getByLabel('E-mail').fill('grace@example.test')
    await guest.getByLabel('Password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByText('You are signed in as grace@example.test').waitFor()
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest.getByRole('heading', { name: 'Start' }).waitFor()
  })

  it('[Q9] tells who did all that', async () => {
    await visit(page, '/audit')
    const sentences = (await column(page, 'Changes', 'What')).map((text) => text.split('\n')[0]!.trim())
    expect(sentences).toContain('Ada Lovelace removed Grace Hopper')
    expect(sentences).toContain('Ada Lovelace changed the role of Grace Hopper')
    expect(sentences).toContain('Grace Hopper created key hers')
    await page.getByRole('searchbox').fill('created key')
    await expect.poll(async () => column(page, 'Changes', 'What')).toHaveLength(1)
  })

  it('[Q9] loads older entries when asked', async () => {
    const organization = await theOrganization(system.store)
    for (let index = 0; index < 60; index++) await system.store.enableModel({ organization, name: `model-${index}` })
    await visit(page, '/audit')
    const before = (await column(page, 'Changes', 'What')).length
    expect(before).toBe(50)
    await page.getByRole('button', { name: 'Load older entries' }).click()
    await expect.poll(async () => (await column(page, 'Changes', 'What')).length).toBeGreaterThan(before)
  })
})

describe('the own account', () => {
  it('[Q3] says that the password is wrong, and brings the person where they wanted to go', async () => {
    const guest = await system.newPage()
    await guest.goto('/keys')
    await guest.getByLabel('E-mail').fill(OWNER.email)
    await guest.getByLabel('Password').fill('not the password')
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByText(/password or the code is wrong/).waitFor()
    await guest.getByLabel('Password').fill(OWNER.password)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByRole('heading', { name: 'Keys' }).waitFor()
    await guest.getByRole('button', { name: /^You: / }).click()
    await guest.getByRole('menuitem', { name: 'Sign out' }).click()
    await guest.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  it('[Q26] changes the name and the password', async () => {
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

  it('[Q26] [Q3] sets up a second factor, which is then asked for', async () => {
    await visit(page, '/account')
    await page.getByRole('button', { name: 'Set up…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: /QR code/ }).waitFor()
    const secret = (await dialog.getByLabel('Secret for the app', { exact: true }).innerText()).trim()
    await dialog.getByLabel('Code of the app').fill(oneTimeCode(secret, Date.now()))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await toast(page, 'Second factor turned on')

    const guest = await system.newPage()
    await guest.goto('/')
    await guest.getByLabel('E-mail').fill(OWNER.email)
    await guest.getByLabel('Password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByLabel('Code of your authenticator app').fill(oneTimeCode(secret, Date.now()))
    await guest.getByRole('button', { name: 'Continue' }).click()
    await guest.getByRole('heading', { name: 'Start' }).waitFor()
  })

  it('[Q15] asked no other origin for anything, and broke nowhere', () => {
    expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
  })
})

/** What an authenticator app shows (RFC 6238). */
function oneTimeCode(secret: string, now: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(secret.replaceAll('=', ''))
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}
