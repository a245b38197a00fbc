import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { OWNER } from './harness/start-console.ts'
import { startPlayground } from './harness/start-playground.ts'

const playground = await startPlayground()
const { system, page } = playground
afterAll(async () => playground[Symbol.asyncDispose]())

const GUEST = { name: 'Mary Somerville', email: 'mary@example.test', password: 'celestial mechanics' }
const field = page.getByLabel('Your message')

/** Without a word to the page, as if it had expired. */
const endSession = async () => system.call(page, '/sign-out', {})

async function signIn({ email, password }: { email: string; password: string }, at: Page = page): Promise<void> {
  await at.getByText('Your session has ended').waitFor()
  await at.getByLabel('Email').fill(email)
  await at.getByLabel('Password').fill(password)
  await at.getByRole('button', { name: 'Sign in' }).click()
}

async function inviteGuest(): Promise<void> {
  const me = (await (await page.request.get('/api/v1/me')).json()) as { organizations: { id: string }[] }
  const path = `/organizations/${me.organizations[0]!.id}/invitations`
  const { link } = await system.call(page, path, { role: 'member', email: GUEST.email })
  const token = String(link).split('#')[1]
  await system.call(await system.newPage(), '/invitations/accept', { token, person: GUEST })
}

describe('a session that ends in the playground', () => {
  it('[Q46n] leaves the conversation and the message that is being written to the person who signs in again', async () => {
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

  it('[Q46n] shows nothing of it to another person who signs in', async () => {
    await inviteGuest()
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
