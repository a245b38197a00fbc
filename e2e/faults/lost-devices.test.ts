import { checkNumberedText, type JobPlan, type ScriptedDevice } from '@hearth/gateway/testing'
import { afterAll, expect, it } from 'vitest'
import { expectCompletion } from '../harness/expect-reply.ts'
import { PAIR, startSystem } from '../harness/start-system.ts'

const KILLS = 1_000
const TOKENS = 3
const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

// Each moment at which a device can die before its first token.
const DEATHS: JobPlan[] = [{ crashAt: 'offer' }, { crashAt: 'accept' }, { progress: ['loading'], crashAt: 0 }]

/** Whichever device is offered a job first dies of it; the next one serves it. */
class Fate {
  kills = 0
  readonly #met = new Set<string>()

  readonly plan = (request: { messages: { content: string }[] }): JobPlan => {
    const name = request.messages[0]!.content
    if (this.#met.has(name)) return { tokens: TOKENS }
    this.#met.add(name)
    return DEATHS[this.kills++ % DEATHS.length]!
  }
}

/** A device that comes back whenever it died. */
class Phoenix {
  readonly #credential: string
  readonly #fate: Fate
  #joining: Promise<ScriptedDevice> | undefined

  constructor(credential: string, fate: Fate) {
    this.#credential = credential
    this.#fate = fate
  }

  async alive(): Promise<void> {
    this.#joining ??= this.#join()
    await this.#joining
  }

  async #join(): Promise<ScriptedDevice> {
    const device = await system.connectDevice({ credential: this.#credential, models: [PAIR], plan: this.#fate.plan })
    void device.closed.then(() => (this.#joining = undefined))
    return device
  }
}

async function ask(round: number): Promise<string> {
  const body = { model: PAIR, messages: [{ role: 'user', content: `round ${round}` }] }
  if (round % 2 === 0) return expectCompletion(await system.client.post(body)).choices[0]!.message.content
  const { texts, done } = await system.client.stream(body)
  expect(done).toBe(true)
  return texts[0]!
}

it(`[K108] ${KILLS} devices die before their first token and no client notices`, async () => {
  const fate = new Fate()
  const devices = [new Phoenix(await system.enrol('home'), fate), new Phoenix(await system.enrol('home'), fate)]
  for (let round = 0; round < KILLS; round += 1) {
    await Promise.all(devices.map(async (device) => device.alive()))
    expect(checkNumberedText(await ask(round))).toBe(TOKENS)
  }
  expect(fate.kills).toBe(KILLS)
  await system.metricReaches('hearth_leases', 0)
})
