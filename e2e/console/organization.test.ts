// The pages of an organization and its people, from the first visit on. They share a gateway and a browser; from Home on, each has an
// organization of its own.

import { afterAll, describe, expect, it } from 'vitest'
import { MAIN_PAGES, violations } from './harness/every-page.ts'
import { startConsole } from './harness/start-console.ts'
import { firstVisit } from './pages/first-visit.ts'
import { homePage } from './pages/home.ts'
import { keysPage } from './pages/keys.ts'
import { peoplePages } from './pages/people.ts'
import { usagePage } from './pages/usage.ts'

const system = await startConsole()
afterAll(async () => system[Symbol.asyncDispose]())

// What a page prepares stays inside its group, so nothing is set up before the first visit.
describe('the first visit', () => firstVisit(system))
describe('Home after set-up', () => homePage(system))
describe('Keys', () => keysPage(system))
describe('Usage', () => usagePage(system))
describe('people', () => peoplePages(system))

it('no page of every day has axe violations', async () => {
  expect(await violations(await system.ownersPage(), MAIN_PAGES)).toStrictEqual({})
})

it('loads nothing from other origins and logs no errors', () => {
  expect(system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
})
