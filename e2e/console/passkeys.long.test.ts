import { freePort } from '@hearth/gateway/local-servers'
import { afterAll, expect, it } from 'vitest'
import { createOwner, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

// Browsers have passkeys for a name, not for an address.
const port = await freePort()
const origin = `http://localhost:${port}`
const system = await startConsole({ PORT: String(port), PUBLIC_URL: origin })
afterAll(async () => system[Symbol.asyncDispose]())

it('adds, names and removes a passkey, which signs in without a password', async () => {
  const page = await system.newPage({ baseURL: origin })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(system.setUpLink.replace(system.origin, origin))
  await createOwner(page)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await visit(page, '/account')
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('Laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Laptop' })
  await entry.waitFor()

  await page.getByRole('button', { name: /^You: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()

  await visit(page, '/account')
  await entry.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await entry.waitFor({ state: 'detached' })
  await visit(page, '/audit')
  await page.getByText('added a passkey').waitFor()
  await page.getByText('removed a passkey').waitFor()
  expect(system.observed.faults).toStrictEqual([])
})
