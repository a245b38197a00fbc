import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { visit } from './harness/people.ts'
import { Playground, startPlayground } from './harness/start-playground.ts'
import { playgroundConversations } from './pages/playground-conversations.ts'

const wide = await startPlayground()
const { system, device } = wide
const owner = await wide.page.context().storageState()
const phone = new Playground(
  system,
  await system.newPage({ storageState: owner, viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }),
  device,
)
afterAll(async () => wide[Symbol.asyncDispose]())

playgroundConversations(wide)

const LONG = Array.from({ length: 12 }, (_, line) => `Line ${line} of a response that needs some space.\n\n`)

/** The bottom edge of an element, as a distance from the bottom edge of the window; negative if it is below it. */
async function roomBelow(page: Page, element: Locator): Promise<number> {
  const box = await element.boundingBox()
  const height = page.viewportSize()!.height
  return box === null ? Number.NaN : height - box.y - box.height
}

async function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { top, bottom, left } = node.getBoundingClientRect()
    const seen = node.ownerDocument.elementFromPoint(left + 4, (top + bottom) / 2)
    return seen !== null && (node.contains(seen) || seen.contains(node))
  })
}

describe.each([
  ['a wide screen', wide],
  ['a phone', phone],
] as const)('the playground on %s', (_name, playground) => {
  const { page } = playground
  const composer = page.getByLabel('Your message')

  it('follows the conversation until you scroll up', async () => {
    await playground.open()
    expect(await roomBelow(page, composer)).toBeLessThan(80)
    for (let turn = 0; turn < 10; turn++) await playground.ask({ text: [...LONG, `End of turn ${turn}.`] })
    await expect.poll(async () => isInView(page.getByText('End of turn 9.'))).toBe(true)
    expect(await isInView(page.getByText('End of turn 5.'))).toBe(false)
    expect(await roomBelow(page, composer)).toBeGreaterThan(0)
    expect(await roomBelow(page, composer)).toBeLessThan(80)
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.evaluate((node) => node.scrollTo(0, 0))
    const jump = page.getByRole('button', { name: 'Jump to latest' })
    await jump.waitFor()
    await jump.click()
    await expect.poll(async () => isInView(page.getByText('End of turn 9.'))).toBe(true)
    await jump.waitFor({ state: 'detached' })
  })

  it('stays where you scrolled while a response grows', async () => {
    await playground.open()
    for (let turn = 0; turn < 3; turn++) await playground.ask({ text: [...LONG, `End of turn ${turn}.`] })
    const rest = Promise.withResolvers<void>()
    device.plan = { text: ['Slowly ', ...LONG, 'the very end'], stall: { at: 1, until: rest.promise } }
    await playground.say('Go on')
    await page.getByText('Slowly').waitFor()
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation.evaluate((node) => node.scrollTo(0, 0))
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    rest.resolve()
    await page.getByText('the very end').waitFor()
    expect(await conversation.evaluate((node) => node.scrollTop)).toBe(0)
  })

  it('sends an example that you click', async () => {
    await playground.open()
    device.plan = { text: 'Because of scattering.' }
    await page.getByRole('button', { name: /why the sky is blue/ }).click()
    await playground.answers.getByText('Because of scattering.').waitFor()
    expect(playground.lastMessages).toStrictEqual(['Explain in three sentences why the sky is blue.'])
  })
})

describe('a phone', () => {
  it('compares two models without making the page wider, and lists conversations', async () => {
    const { page } = phone
    await phone.open()
    await page.getByRole('button', { name: 'Compare', exact: true }).tap()
    device.plan = ({ model }) => ({ text: `Said by ${model}` })
    await phone.say('Who?')
    await page.getByText('Said by able').waitFor()
    await page.getByText('Said by plain').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
    expect(await findViolations(page)).toStrictEqual([])
    await page.getByRole('button', { name: /^Conversations/ }).tap()
    await page.getByRole('dialog').getByText('1 message · 2 models').waitFor()
    expect(await findViolations(page)).toStrictEqual([])
  })

  it('gives most of its screen to the conversation', async () => {
    await phone.open()
    const box = await phone.page.getByRole('region', { name: 'Conversation' }).boundingBox()
    expect(box!.height).toBeGreaterThan(812 * 0.6)
  })
})

describe('the message field', () => {
  it('has the focus when the page opens, also from another page', async () => {
    await visit(wide.page, '/playground')
    const focused = async () => wide.page.evaluate('document.activeElement?.getAttribute("aria-label")')
    await expect.poll(focused).toBe('Your message')
    await wide.page.getByRole('link', { name: 'Models' }).first().click()
    await wide.page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
    await wide.page.getByRole('link', { name: 'Playground' }).first().click()
    await expect.poll(focused).toBe('Your message')
  })
})

describe.each([1440, 1024, 390])('a toast on a screen %i pixels wide', (width) => {
  it('covers neither Send nor the message field, even in a comparison', async () => {
    const { page } = wide
    await page.setViewportSize({ width, height: 800 })
    await wide.open()
    await wide.ask({ text: 'Hello' })
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Stop comparing able' }).click()
    await page.getByText('Comparison closed').waitFor()
    for (const action of [page.getByRole('button', { name: 'Send' }), page.getByLabel('Your message')])
      expect(await isInView(action)).toBe(true)
    const send = await page.getByRole('button', { name: 'Send' }).boundingBox()
    const toast = await page.locator('.toast').last().boundingBox()
    expect(toast!.y).toBeGreaterThanOrEqual(send!.y + send!.height)
  })
})
