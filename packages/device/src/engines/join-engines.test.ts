import { describe, expect, it } from 'vitest'
import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { createEchoEngine, ECHO_MODEL } from '../testing/echo-engine.ts'
import { joinEngines } from './join-engines.ts'

const named = (...names: string[]) => createEchoEngine({ models: names.map((name) => ({ ...ECHO_MODEL, name })) })

async function ask(engine: ReturnType<typeof joinEngines>, model: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  const job: ChatJob = { model, messages: [{ role: 'user', content: 'hi' }] }
  for await (const event of engine.run(job, new AbortController().signal, () => undefined)) events.push(event)
  return events
}

describe('joinEngines', () => {
  it('[Y21] serves the models of all, each by the first that has it', async () => {
    const [one, other] = [named('a', 'both'), named('both', 'b')]
    const engine = joinEngines([one, other])
    expect(engine.models().map(({ name }) => name)).toEqual(['a', 'both', 'b'])
    await ask(engine, 'both')
    await ask(engine, 'b')
    expect([one.produced, other.produced]).toEqual([1, 1])
    await expect(async () => ask(engine, 'c')).rejects.toMatchObject({ retryable: true })
  })

  it('[Y21] passes on what changes in any of them, and stops all', async () => {
    const [one, other] = [named('a'), named('b')]
    const engine = joinEngines([one, other])
    let changes = 0
    const stop = engine.onChange(() => (changes += 1))
    other.serve([])
    one.serve([])
    stop()
    one.serve([])
    expect(changes).toBe(2)
    await engine.stop()
    expect([one.isStopped, other.isStopped]).toEqual([true, true])
  })
})
