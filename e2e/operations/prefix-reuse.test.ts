import { describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { FULL, HI, PLAIN, startSystem, type System } from '../harness/start-system.ts'

async function separate(system: System, separatesPrefixes: boolean): Promise<void> {
  await system.change((store, { home: organization }) => store.changeSettings({ organization, separatesPrefixes }))
  // An enrolment makes the gateway refresh its access book immediately.
  await system.enrol('home')
}

describe('prefix reuse', () => {
  it('[M52] is shared by default, and otherwise separated on devices that can do it', async () => {
    await using system = await startSystem()
    const ask = (model: string) => system.client.post({ model, messages: HI })
    expectCompletion(await ask(FULL))
    const { prefixScope: shared } = system.full.jobs.at(-1)!.request
    expect(shared).toStrictEqual({ name: expect.stringMatching(/^[0-9a-f]{32}$/) as string })

    await separate(system, true)
    expectCompletion(await ask(FULL))
    const { prefixScope: own } = system.full.jobs.at(-1)!.request
    expect(own).toStrictEqual({ ...shared, isSeparate: true })
    const { message } = expectError(await ask(PLAIN), { status: 400, code: 'unsupported_by_node', param: 'model' })
    expect(message).toMatch(/separates prefix reuse by API key.*Update the device app.*turn the setting off/)

    await separate(system, false)
    expectCompletion(await ask(PLAIN))
  })
})
