import { createInvitationToken } from '@hearth/gateway'
import { afterAll, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
afterAll(async () => system[Symbol.asyncDispose]())

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
  await page
    .getByRole('alert')
    .filter({ hasText: /easy to guess/ })
    .waitFor()
  await password.fill('velvet otter plays chess at noon')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.context().close()
})
