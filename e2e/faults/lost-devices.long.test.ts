import { checkNumberedText, type JobPlan, type Plan, type ScriptedDevice } from '@hearth/gateway/testing'
import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../harness/create-random.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { readEvents, readWholeStream } from '../harness/client/read-stream.ts'
import { LONELY, PAIR, startSystem } from '../harness/start-system.ts'

const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

/** The gateway lets a device connect 300 times in a minute. Real ones wait longer each time; these come back at once. */
const LIVES = 250

/** A device that comes back whenever it dies, until it is disposed. After many lives it comes back as another device. */
class Phoenix implements AsyncDisposable {
  readonly #credentials: readonly string[]
  readonly #model: string
  readonly #plan: Plan
  #joining: Promise<ScriptedDevice> | undefined
  #isDismissed = false
  #lives = 0

  static async enrol(deaths: number, model: string, plan: Plan): Promise<Phoenix> {
    const credentials: string[] = []
    for (let lives = 0; lives <= deaths; lives += LIVES) credentials.push(await system.enrol('home'))
    return new Phoenix(credentials, model, plan)
  }

  constructor(credentials: readonly string[], model: string, plan: Plan) {
    this.#credentials = credentials
    this.#model = model
    this.#plan = plan
  }

  async alive(): Promise<ScriptedDevice> {
    this.#joining ??= this.#join()
    return this.#joining
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDismissed = true
    const device = await this.alive()
    await device[Symbol.asyncDispose]()
  }

  async #join(): Promise<ScriptedDevice> {
    const models = [{ name: this.#model, slots: 4 }]
    const device = await system.connectDevice({
      credential: this.#credentials[Math.floor(this.#lives++ / LIVES)]!,
      models,
      plan: this.#plan,
      forgetsJobs: true,
    })
    void device.closed.then(() => (this.#joining = this.#isDismissed ? this.#joining : this.#join()))
    return device
  }
}

const KILLS = 2_000
const TOKENS = 3

// Each moment at which a device can die before its first token; a whole reply can be produced again at any later one too.
const EARLY: JobPlan[] = [{ crashAt: 'offer' }, { crashAt: 'accept' }, { progress: ['loading'], crashAt: 0 }]
const LATE: JobPlan[] = [...EARLY, { tokens: TOKENS, crashAt: 1 }, { tokens: TOKENS, crashAt: TOKENS }]

/** The first device that is offered a job dies; the next one serves it. */
class Fate {
  kills = 0
  readonly #met = new Set<string>()

  readonly plan = ({ messages }: { messages: { content: string }[] }): JobPlan => {
    const name = messages[0]!.content
    if (this.#met.has(name)) return { tokens: TOKENS }
    this.#met.add(name)
    const deaths = name.startsWith('whole') ? LATE : EARLY
    return deaths[this.kills++ % deaths.length]!
  }
}

async function ask(round: number): Promise<string> {
  const isStream = round % 2 === 0
  const body = { model: PAIR, messages: [{ role: 'user', content: `${isStream ? 'stream' : 'whole'} ${round}` }] }
  if (!isStream) return expectCompletion(await system.client.post(body)).choices[0]!.message.content
  const { texts, done } = await system.client.stream(body)
  expect(done).toBe(true)
  return texts[0]!
}

it(`[H84] ${KILLS} devices die before their first token and no client notices`, async () => {
  const fate = new Fate()
  await using one = await Phoenix.enrol(KILLS, PAIR, fate.plan)
  await using other = await Phoenix.enrol(KILLS, PAIR, fate.plan)
  for (let round = 0; round < KILLS; round += 1) {
    await Promise.all([one.alive(), other.alive()])
    expect(checkNumberedText(await ask(round))).toBe(TOKENS)
  }
  expect(fate.kills).toBe(KILLS)
  await system.metricReaches('hearth_leases', 0)
})

const STREAMS = 2_000
const AT_ONCE = 8
const LENGTH = 20

type Ending = 'whole' | 'broken' | 'rejected'

/** However a stream ends, its text is a beginning of the answer, in order, and it ends once. */
async function readToItsEnd(): Promise<Ending> {
  const body = { model: LONELY, messages: [{ role: 'user', content: 'hi' }], stream: true }
  const response = await system.client.fetch('/chat/completions', { body })
  if (response.status !== 200) {
    expect(response.status).toBeGreaterThanOrEqual(500)
    await response.text()
    return 'rejected'
  }
  const { texts, done, error, events } = await readWholeStream(readEvents(response.body!))
  const tokens = checkNumberedText(texts[0] ?? '')
  expect(done).toBe(error === undefined)
  expect(events.filter((event) => event.kind !== 'chunk')).toHaveLength(1)
  if (done) expect(tokens).toBe(LENGTH)
  else expect(error).toMatchObject({ code: 'server_error' })
  return done ? 'whole' : 'broken'
}

it(`[J96] [J96a] ${STREAMS} streams over devices that die at random moments are complete, or an exact beginning and one error`, async () => {
  const random = createRandom(11)
  const plan = (): JobPlan => {
    const length = { tokens: LENGTH, intervalMs: 1 }
    return random() < 0.15 ? { ...length, crashAt: Math.floor(random() * LENGTH) } : length
  }
  const devices = [1, 2, 3].map(async () => Phoenix.enrol(STREAMS, LONELY, plan))
  await using stack = new AsyncDisposableStack()
  for (const device of await Promise.all(devices)) await stack.use(device).alive()
  const endings: Ending[] = []
  let left = STREAMS
  const visit = async (): Promise<void> => {
    while (left-- > 0) endings.push(await readToItsEnd())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
  expect(endings).toHaveLength(STREAMS)
  for (const ending of ['whole', 'broken']) expect(endings).toContain(ending)
  await system.metricReaches('hearth_leases', 0)
  await system.queued(0)
})
