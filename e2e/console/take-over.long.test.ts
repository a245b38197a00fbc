import { FEATURES } from '@hearth/protocol'
import { afterAll, expect, it } from 'vitest'
import { findViolations } from './harness/axe.ts'
import { linkDevice, theOrganization } from './harness/fill.ts'
import { visit } from './harness/people.ts'
import { Playground } from './harness/start-playground.ts'
import { startConsole } from './harness/start-console.ts'

const SENTENCE = /continued on vm after attic went away, (under )?\d+\.\d\ss/
const MODEL = { name: 'able', features: [...FEATURES], slots: 4, contextLength: 32_768, digest: 'sha256:same' }

const system = await startConsole({ USAGE_FLUSH_MS: '200' })
afterAll(async () => system[Symbol.asyncDispose]())
const page = await system.ownersPage()

/** The first device that is asked is attic, and vm joins while it answers. */
async function takeOver(): Promise<void> {
  const text = ['One ', 'two ', 'three ', 'four']
  const gone = Promise.withResolvers<void>()
  const stall = { at: 2, until: gone.promise }
  const plan = { text, reportsTokens: true }
  const attic = await linkDevice(system.store, system.origin, {
    name: 'attic',
    models: [MODEL],
    plan: { ...plan, stall, crashAt: 2 },
  })
  const playground = new Playground(system, page, attic)
  await visit(page, '/playground?open=able')
  await playground.say('Count')
  await playground.answers.getByText('One two').waitFor()
  await linkDevice(system.store, system.origin, { name: 'vm', models: [MODEL], plan })
  gone.resolve()
  await playground.answers.getByText('One two three four').waitFor()
}

it('a reply that outlives its device says who continued it, under the answer and in the list of requests', async () => {
  await system.store.enableModel({ organization: await theOrganization(system.store), name: 'able' })
  await takeOver()
  const answer = page.getByRole('article', { name: 'Response' })
  await answer.getByText(SENTENCE).waitFor()
  expect(await findViolations(page)).toStrictEqual([])
  await visit(page, '/usage')
  for (const width of [1_440, 1_024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const cell = page.getByRole('table', { name: 'Requests' }).locator('.request-device', { hasText: SENTENCE })
    await cell.waitFor()
    await cell.scrollIntoViewIfNeeded()
    expect(await cell.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true)
  }
  expect(await findViolations(page)).toStrictEqual([])
  expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
})
