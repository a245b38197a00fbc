// A gateway that lies to devices for a while. An honest client has sealed jobs for two of them; a third one is not approved.

import type { ChatEvent } from '@hearth/protocol'
import { Random } from '@hearth/gateway/testing'
import { EngineError, type EngineJob } from '../../../../packages/device/src/engines/engine.ts'
import { createManualClock, type ManualClock } from '../../../../packages/device/src/testing/manual-clock.ts'
import { findWords } from '../../../sealed/search/find-words.ts'
import type { ToDevice } from '../sealed-input.ts'
import { FuzzedDevice } from './fuzzed-device.ts'
import { CANARIES, openChain, sealHonestJobs, type Chain, type HonestJob } from './honest-jobs.ts'
import { boxesOf, createOffer, tellOffer, type Offer } from './lie-to-device.ts'
import { RunJudge } from './run-judge.ts'

const SECOND = 1_000
const PAUSES = [0, 0, 0, SECOND, SECOND, 60 * SECOND, 290 * SECOND, 20 * 60 * SECOND]
/** Longer than any running job takes to stop. */
const END_MS = 60 * SECOND
const SALT_LENGTH = 43

interface World {
  clock: ManualClock
  random: Random
  devices: readonly FuzzedDevice[]
  jobs: readonly HonestJob[]
  offers: Offer[]
  told: { device: FuzzedDevice; texts: readonly string[] }[]
  judge: RunJudge
}

/** Returns what the devices said, and what is wrong with it, if anything. */
export async function sendToDevices({
  seed,
  steps,
}: ToDevice): Promise<{ outcomes: string[]; why: string | undefined }> {
  const world = await startWorld(new Random(seed))
  for (let step = 0; step < steps; step++) {
    await takeStep(world)
    await settleAll(world)
  }
  for (const device of world.devices) device.loseLink()
  await world.clock.advance(END_MS)
  return { outcomes: world.devices.flatMap(({ sent }) => sent.map(({ type }) => type)), why: findFault(world) }
}

async function startWorld(random: Random): Promise<World> {
  const clock = createManualClock()
  const judge = new RunJudge()
  let jobs: readonly HonestJob[] = []
  const run = (device: FuzzedDevice, job: EngineJob, attempt: number | undefined, signal: AbortSignal) => {
    const judged = judge.judge(job, { attempt, device, jobs, now: clock.date().getTime() })
    return answer(judged?.known.words.slice(judged.from) ?? [], { clock, random, signal })
  }
  const [first, second, third] = ['device-1', 'device-2', 'device-3'].map((id) => new FuzzedDevice({ id, clock, run }))
  if (!first || !second || !third) throw new Error('There are three devices')
  jobs = await sealHonestJobs([first, second], clock.date().getTime(), random)
  return { clock, random, devices: [first, second, third], jobs, offers: [], told: [], judge }
}

/** Some break off in the middle, so that there are beginnings. */
async function* answer(
  words: readonly string[],
  { clock, random, signal }: { clock: ManualClock; random: Random; signal: AbortSignal },
): AsyncGenerator<ChatEvent> {
  for (const [index, text] of words.entries()) {
    if (random.chance(0.3)) await clock.wait(SECOND, signal)
    if (random.chance(0.15)) throw new EngineError('failed', `Lost ${text}`, { retryable: true })
    yield { type: 'text', choice: 0, text, tokens: 1, ids: [index] }
  }
  yield { type: 'end', finishes: ['stop'], usage: { promptTokens: 3, completionTokens: words.length } }
}

async function takeStep(world: World): Promise<void> {
  const { random, clock, devices } = world
  const kind = random.fraction()
  if (kind < 0.55) return offer(world)
  if (kind < 0.7) return replay(world)
  if (kind < 0.8) return control(world)
  if (kind < 0.95) return clock.advance(random.pick(PAUSES))
  const device = random.pick(devices)
  if (random.chance(0.5)) device.loseLink()
  else device.restartApp()
}

function offer(world: World): void {
  const made = createOffer(world, world.random)
  const texts = tellOffer(made, world.jobs, world.random)
  world.offers.push(made)
  world.told.push({ device: made.device, texts })
  for (const text of texts) made.device.receive(text)
}

/** The same again, under the same name or another one, to the same device or another one. */
function replay({ told, devices, random }: World): void {
  if (told.length === 0) return
  const { device, texts } = random.pick(told)
  const to = random.chance(0.6) ? device : random.pick(devices)
  const isRenamed = random.chance(0.7)
  for (const text of texts) to.receive(isRenamed ? text.replaceAll(/"job":"(job\d)\w*"/g, '"job":"$1z"') : text)
}

function control({ offers, random }: World): void {
  if (offers.length === 0) return
  const { device, name: job, attempt } = random.pick(offers)
  const type = random.pick(['job-cancel', 'job-pause', 'job-resume'])
  device.receive(JSON.stringify({ type, job, attempt, reason: 'client-gone' }))
}

async function settleAll({ devices }: World): Promise<void> {
  for (const device of devices) await device.settled()
}

function findFault(world: World): string | undefined {
  const { judge, devices, jobs, offers, random } = world
  const sent = devices.flatMap((device) => device.sent)
  const read = findWords(Buffer.from(JSON.stringify(sent)), CANARIES)
  if (read.length > 0) return `the gateway can read ${read.join(', ')}`
  const busy = devices.find(({ running }) => running > 0)
  if (busy) return `${busy.id} still runs a job`
  const salts = sent.flatMap((frame) => (frame.type === 'job-sealed' && frame.sequence === 0 ? [frame.box] : []))
  const isTwice = new Set(salts.map((box) => box.slice(0, SALT_LENGTH))).size < salts.length
  if (isTwice) return 'two replies have the same salt'
  return judge.why ?? jobs.map((job) => findWrongText(job, offers, random)).find((why) => why !== undefined)
}

/** However the gateway joins the boxes that it got, the client shows a beginning of the reply. */
function findWrongText(job: HonestJob, offers: readonly Offer[], random: Random): string | undefined {
  const mine = offers.filter((each) => each.job === job)
  const text = job.words.join('')
  for (const each of mine) {
    const chain: readonly Chain[] = [...each.begun, { attempt: each.attempt, boxes: boxesOf(each) }]
    const mixed = random.some(mine, 0.5).map((one) => ({ attempt: one.attempt, boxes: boxesOf(one) }))
    const shown = [chain, mixed].map((boxes) => openChain(job, boxes)).find((one) => !text.startsWith(one))
    if (shown !== undefined) return `the client shows: ${shown}`
  }
  return undefined
}
