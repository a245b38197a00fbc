// The playground, with one gateway and one browser.

import { afterAll, expect, it } from 'vitest'
import { startPlayground } from './harness/start-playground.ts'
import { playgroundAnswers } from './pages/playground-answers.ts'
import { playgroundAsking } from './pages/playground-asking.ts'
import { playgroundHostile } from './pages/playground-hostile.ts'

const playground = await startPlayground()
afterAll(async () => playground[Symbol.asyncDispose]())

playgroundAsking(playground)
playgroundAnswers(playground)
playgroundHostile(playground)

it('loads nothing from other origins and logs no errors', () => {
  expect(playground.system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
})
