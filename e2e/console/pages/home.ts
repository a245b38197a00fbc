import { createKey, type ScriptedDevice } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { HI } from '../../harness/start-system.ts'
import { linkDevice } from '../harness/fill.ts'
import { visit } from '../harness/people.ts'
import type { ConsoleSystem } from '../harness/start-console.ts'

export function homePage(system: ConsoleSystem): void {
  const { key, digest, hint } = createKey()
  let page: Page
  let device: ScriptedDevice
  let organization: string

  beforeAll(async () => {
    ;({ page, organization } = await system.newOrganization('of-home@example.test'))
    const [owner] = await system.store.listMembers(organization)
    await system.store.createKey({ organization, createdBy: owner!.person, name: 'First app', digest, hint })
    await system.store.enableModel({ organization, name: 'wanted' })
    const models = [{ name: 'other' }]
    device = await linkDevice(system.store, system.origin, { organization, name: 'Mac Studio', models })
  })

  async function pause(isPaused: boolean): Promise<void> {
    const [known] = await system.store.listDevices(organization)
    await system.store.changeDevice({ organization, device: known!.id, isPaused })
  }

  const status = () => page.getByRole('region', { name: 'Status' })
  const isReady = () => status().getByText('Ready for requests.')

  it('says that no online device serves an enabled model', async () => {
    await visit(page, '/')
    await status().getByText('No device serves an enabled model.').waitFor()
    expect(await isReady().count()).toBe(0)
  })

  it('is ready exactly while a device that takes jobs serves an enabled model', async () => {
    await system.store.enableModel({ organization, name: 'other' })
    await isReady().waitFor()
    await status().getByText('other answers on 1 device.').waitFor()
    await pause(true)
    await status().getByText('All online devices are paused.').waitFor()
    expect(await isReady().count()).toBe(0)
    await pause(false)
    await isReady().waitFor()
  })

  it('shows the devices, and the requests and errors of the last day', async () => {
    await page.getByRole('link', { name: 'Mac Studio' }).getByText('Idle').waitFor()
    await page.getByText('No requests yet').waitFor()
    await page.getByText('None of the latest requests failed.').waitFor()
    const ask = (model: string) => system.client(key).post({ model, messages: HI })
    expect((await ask('other')).status).toBe(200)
    expect((await ask('missing')).status).toBe(404)
    // A request for a model that doesn't exist is listed, but no failure of the service.
    await page.getByText('model_not_found').waitFor()
    await page.getByRole('img', { name: '2 requests in the last 24 hours, 0 failed' }).waitFor()
  })

  it('suggests what to do next', async () => {
    await page.getByRole('link', { name: /Add a second device/ }).waitFor()
    await page.getByRole('link', { name: /Invite someone/ }).click()
    await page.getByRole('dialog').waitFor()
  })

  it('says that no device is online', async () => {
    await visit(page, '/')
    await device[Symbol.asyncDispose]()
    await status().getByText('No device is online.').waitFor()
    expect(await isReady().count()).toBe(0)
  })
}
