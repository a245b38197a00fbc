// Scripted devices that fail in every way a device can, at random tokens, again and again during one reply. They compute nothing, so
// thousands of replies take a minute.

import { ScriptedDevice, type JobPlan } from '@hearth/gateway/testing'
import { FEATURES, type ChatJob } from '@hearth/protocol'
import { createRandom, seedOfRun } from '../../harness/create-random.ts'
import { PAIR, startSystem, type System } from '../../harness/start-system.ts'
import { drawStory, type Story } from './scripted-story.ts'
import { findDifference, seenOfWhole, streamSeen, type Seen } from './seen.ts'

export interface ScriptedRunsOptions {
  runs: number
  seed: number
  onProgress?: (done: number) => void
}

export interface ScriptedResult {
  runs: number
  /** Replies that another device continued at least once, and how often that happened in all of them. */
  continuedReplies: number
  seams: number
  problems: string[]
}

/** With one slot each, a device that fails interrupts one reply, as its story says. */
const DEVICES = 24
const AT_ONCE = 8
const SETTINGS = { PING_BUSY_MS: '200', PING_IDLE_MS: '5000' }
const MODEL = { name: PAIR, slots: 1, features: [...FEATURES], digest: 'sha256:numbered' }

export async function runScripted({ runs, seed, onProgress }: ScriptedRunsOptions): Promise<ScriptedResult> {
  await using fleet = await FailingFleet.start()
  const result: ScriptedResult = { runs, continuedReplies: 0, seams: 0, problems: [] }
  let next = 0
  const visit = async (): Promise<void> => {
    for (let index = next++; index < runs; index = next++) {
      const story = drawStory(`run ${index}`, createRandom(seedOfRun(seed, index)))
      const problem = await fleet.tell(story)
      if (problem !== undefined)
        result.problems.push(`run ${index} (${story.losses.map(({ how }) => how).join(', ')}): ${problem}`)
      if (story.seams > 0) result.continuedReplies += 1
      onProgress?.(index + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
  result.seams = await fleet.seams()
  return result
}

class FailingFleet implements AsyncDisposable {
  readonly #system: System
  readonly #stories = new Map<string, Story>()
  readonly #devices = new Set<ScriptedDevice>()
  #isOver = false

  static async start(): Promise<FailingFleet> {
    const system = await startSystem({ devices: 'none', settings: SETTINGS })
    const fleet = new FailingFleet(system)
    for (let index = 0; index < DEVICES; index++) await fleet.#join(await system.enrol('home'))
    return fleet
  }

  private constructor(system: System) {
    this.#system = system
  }

  async tell(story: Story): Promise<string | undefined> {
    this.#stories.set(story.name, story)
    const found = await this.#ask(story)
    this.#stories.delete(story.name)
    for (const device of story.frozen) device.thaw()
    for (const device of story.leaving) device.crash()
    return findDifference(story.expected, found)
  }

  async seams(): Promise<number> {
    return this.#system.metric('hearth_continued_replies_total')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await Promise.all([...this.#devices].map(({ welcome }) => welcome))
    for (const device of this.#devices) await device[Symbol.asyncDispose]()
    await this.#system[Symbol.asyncDispose]()
  }

  /** Connects again whenever its link breaks. */
  async #join(credential: string): Promise<void> {
    const device: ScriptedDevice = new ScriptedDevice({
      gateway: this.#system.origin,
      credential,
      models: [MODEL],
      plan: (request) => this.#plan(request, device),
      forgetsJobs: true,
    })
    this.#devices.add(device)
    void this.#follow(device, credential)
    await device.welcome
  }

  async #follow(device: ScriptedDevice, credential: string): Promise<void> {
    await device.closed
    this.#devices.delete(device)
    if (!this.#isOver) await this.#join(credential)
  }

  #plan(request: ChatJob, device: ScriptedDevice): JobPlan {
    const story = this.#stories.get(request.messages[0]!.content)
    if (story === undefined) throw new Error('A device was offered a job that nobody waits for')
    return story.nextPlan(request, device)
  }

  async #ask({ body, isStream }: Story): Promise<Seen> {
    const whole = { model: PAIR, ...body }
    if (!isStream) return seenOfWhole(await this.#system.client.post(whole))
    return streamSeen(this.#system.client, whole)
  }
}
