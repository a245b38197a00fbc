// A stream that stays open through every test of a file: it starts before them and must be complete afterwards.

import { numberedText } from '@hearth/gateway/testing'
import { afterEach, beforeEach, expect } from 'vitest'
import { expectCompletion } from './client/expect-reply.ts'
import { readWholeStream, type StreamEvent } from './client/read-stream.ts'
import { FULL, HI, type System } from './start-system.ts'

export function watchBystander(system: System): void {
  let release: PromiseWithResolvers<void>
  let bystander: AsyncGenerator<StreamEvent, void>

  beforeEach(async () => {
    release = Promise.withResolvers()
    system.full.plan = { stall: { at: 4, until: release.promise } }
    bystander = (await system.client.openStream({ model: FULL, messages: HI })).events
    await bystander.next()
    system.full.plan = {}
  })

  afterEach(async () => {
    release.resolve()
    const { texts, done } = await readWholeStream(bystander)
    expect({ texts, done }).toStrictEqual({ texts: [numberedText(8)], done: true })
    expect(system.gateway.isAlive()).toBe(true)
    expectCompletion(await system.chat({}))
  })
}
