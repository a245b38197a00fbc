import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { theOrganization } from './harness/fill.ts'
import { OWNER } from './harness/start-console.ts'
import { startPlayground } from './harness/start-playground.ts'

const playground = await startPlayground()
const { system, page } = playground
afterAll(async () => playground[Symbol.asyncDispose]())

const GUEST = { ...OWNER, name: 'Mary Somerville', email: 'mary@example.test' }
const field = page.getByLabel('Your message')

/** Without a word to the page, as if it had expired. */
const endSession = async () => system.call(page, '/sign-out', {})

async function signIn({ email, password }: { email: string; password: string }, at: Page = page): Promise<void> {
  await at.getByText('Your session has ended').waitFor()
  await at.getByLabel('Email').fill(email)
  await at.getByLabel('Password').fill(password)
  await at.getByRole('button', { name: 'Sign in' }).click()
}

describe('a session that ends in the playground', () => {
  it('leaves the conversation and the message that is being written to the person who signs in again', async () => {
    await playground.open()
    await playground.ask({ text: 'Precious' }, 'Keep me')
    await field.fill('Half a thought')
    await endSession()
    await signIn(OWNER)
    await expect.poll(async () => field.inputValue()).toBe('Half a thought')
    await playground.answers.getByText('Precious').waitFor()
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state])')).not.toContain(
      'thought',
    )
  })

  it('keeps the message that it could not send', async () => {
    await playground.open()
    await page.context().setOffline(true)
    await endSession()
    await field.fill('Sent too late')
    await page.context().setOffline(false)
    await page.keyboard.press('Enter')
    await signIn(OWNER)
    await page.getByRole('article', { name: 'You' }).getByText('Sent too late').waitFor()
    playground.device.plan = { text: 'In time' }
    await page.getByRole('button', { name: 'Retry' }).click()
    await playground.answers.getByText('In time').waitFor()
  })

  it('shows nothing of it to another person who signs in', async () => {
    await system.newMember(page, await theOrganization(system.store), GUEST)
    await playground.open()
    await playground.ask({ text: 'Secret answer' }, 'Secret question')
    await field.fill('Secret draft')
    await endSession()
    await signIn(GUEST)
    await page.getByText('Send a message to start').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await page.getByText('Secret').count()).toBe(0)
    await endSession()
    await signIn(OWNER)
    await page.getByText('Send a message to start').waitFor()
    expect(await field.inputValue()).toBe('')
  })
})
