import { StandInProvider } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '@hearth/gateway/local-servers'
import { theOrganization } from './harness/fill.ts'
import { startConsole } from './harness/start-console.ts'

const provider = await StandInProvider.start()
// The provider needs the gateway's URL before the gateway starts.
const port = await freePort()
const system = await startConsole({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Acme login',
})
afterAll(async () => {
  await system[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Clicks the button and approves on the provider's page. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Acme login' }).click()
  await page.waitForURL(`${provider.issuer}/authorize?**`)
  const claims = { sub: email, email, email_verified: true, name: 'Grace Hopper' }
  await page.goto(`${system.origin}/api/auth/callback/oidc${provider.approve(page.url(), claims)}`)
}

describe('signing in with a provider', () => {
  const email = 'grace@acme.test'

  it('returns an invited person to the invitation', async () => {
    const owner = await system.ownersPage()
    const path = `/organizations/${await theOrganization(system.store)}/invitations`
    const { link } = await system.call(owner, path, { role: 'member', email })
    const page = await system.newPage()
    await page.goto(String(link))
    await signIn(page, email)
    await page.getByText(`You're signed in as ${email}`).waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'You: Grace Hopper' }).waitFor()
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0)
  })

  it('opens the page you asked for', async () => {
    const page = await system.newPage()
    await page.goto('/members')
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/members')
  })

  it('shows an error to a stranger', async () => {
    const page = await system.newPage()
    await page.goto('/')
    await signIn(page, 'stranger@acme.test')
    await page.getByText("The provider couldn't sign you in").waitFor()
  })
})
