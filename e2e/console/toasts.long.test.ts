import type { ScriptedDevice } from '@hearth/gateway/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillOrganization, theOrganization } from './harness/fill.ts'
import { toast, visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const system = await startConsole()
const page = await system.ownersPage()
let devices: ScriptedDevice[] = []

beforeAll(async () => {
  devices = await fillOrganization(system.store, system.origin)
})
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

/** Gives each action of the page the focus, and returns those that are then under a toast. */
const COVERED = `[...document.querySelectorAll('main :is(a, button, input, select)')]
  .filter((action) => !action.closest('.toasts') && action.checkVisibility())
  .filter((action) => {
    action.focus()
    const { left, top, width, height } = action.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.toast')
  })
  .map((action) => action.getAttribute('aria-label') ?? action.textContent)`

describe.each([1_440, 1_024, 390])('a toast on a screen %i pixels wide', (width) => {
  it.each(['light', 'dark'] as const)('covers no action, %s', async (colorScheme) => {
    await page.setViewportSize({ width, height: 700 })
    await page.emulateMedia({ colorScheme })
    const organization = await theOrganization(system.store)
    await system.store.disableModel({ organization, name: 'qwen3:8b' })
    await visit(page, '/models')
    await page
      .getByRole('row', { name: /qwen3:8b/ })
      .getByRole('button', { name: 'Enable' })
      .click()
    await toast(page, /qwen3:8b/)
    expect(await page.evaluate(COVERED)).toStrictEqual([])
    if (width === 390) return
    const [main, shown] = [page.locator('main'), page.locator('.toast').last()].map(async (one) => one.boundingBox())
    const { y, height } = (await main)!
    expect((await shown)!.y).toBeGreaterThanOrEqual(y + height)
  })
})
