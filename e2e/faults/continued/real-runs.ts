// Real device apps that fail in the middle of a reply. Every reply must be the one that an undisturbed device gives.

import type { Random } from '@hearth/gateway/testing'
import { randomOf } from '../../harness/random-of.ts'
import { startSystem, type System } from '../../harness/start-system.ts'
import { listKinds, withStop, type Kind, type TestedModel } from './kinds.ts'
import { RealDevice, type Fault } from './real-device.ts'
import { findDifference, seenOfWhole, streamSeen, type Seen } from './seen.ts'

export interface RealRun {
  kind: string
  faults: readonly Fault[]
  /** How often another device continued the reply. Zero if the faults came too early or too late: such a run proves nothing. */
  seams: number
  problem: string | undefined
}

export interface RealRunsOptions {
  model: TestedModel
  devices: number
  seed: number
}

/** Shorter than usual, because a frozen device is only noticed after three missed pings; but a busy machine is not a frozen device. */
const SETTINGS = { PING_BUSY_MS: '1000', PING_IDLE_MS: '2000' }
/** The app looks once a second whether its owner drains it. */
const EARLY = 0.15
/** How often each happens. Starting an app again takes longest. */
const FAULTS: readonly Fault[] = [
  'killed',
  'killed',
  'frozen',
  'frozen',
  'cut off',
  'cut off',
  'drained',
  'engine killed',
]

interface PlannedFault {
  fault: Fault
  /** The part of the remaining reply after which it happens. */
  at: number
}

interface Reference {
  kind: Kind
  seen: Seen
  /** Everything that the device sends for the whole reply. */
  bytes: number
  tokens: number
}

export class RealRuns implements AsyncDisposable {
  readonly #system: System
  readonly #devices: readonly RealDevice[]
  readonly #seed: number
  readonly #references: Reference[] = []
  readonly #recovering = new Map<RealDevice, Promise<void>>()
  #struck: RealDevice[] = []

  static async start({ model, devices: count, seed }: RealRunsOptions): Promise<RealRuns> {
    const system = await startSystem({ devices: 'none', settings: SETTINGS })
    const names = ['kitchen', 'attic', 'cellar'].slice(0, count)
    const devices = await Promise.all(names.map((name) => RealDevice.start(system, model, name)))
    const runs = new RealRuns(system, devices, seed)
    await runs.#refer(listKinds(model))
    return runs
  }

  private constructor(system: System, devices: readonly RealDevice[], seed: number) {
    this.#system = system
    this.#devices = devices
    this.#seed = seed
  }

  /** One reply with its faults. Only one at a time: next to other jobs, long prompts are computed with slightly different numbers. */
  async run(index: number): Promise<RealRun> {
    const reference = this.#references[index % this.#references.length]!
    const faults = drawFaults(randomOf(this.#seed, index), this.#devices.length)
    await this.#devicesFor(faults)
    const continued = await this.#system.metric('hearth_continued_replies_total')
    this.#struck = []
    this.#arm(faults, reference.bytes)
    const found = await this.#ask(reference.kind)
    for (const { link } of this.#devices) link.forget()
    const seams = (await this.#system.metric('hearth_continued_replies_total')) - continued
    this.#recover(seams)
    const names = faults.map(({ fault }) => fault)
    return { kind: reference.kind.name, faults: names, seams, problem: judge(reference, found) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#recovering.values())
    for (const part of [...this.#devices, this.#system]) await part[Symbol.asyncDispose]()
  }

  async #refer(kinds: readonly Kind[]): Promise<void> {
    const text = await this.#undisturbed(kinds[0]!)
    const stop = withStop(kinds[0]!, text.seen.choices[0]!.text)
    this.#references.push(text)
    for (const kind of [stop, ...kinds.slice(1)]) this.#references.push(await this.#undisturbed(kind))
  }

  /** The reply without faults, which has to be the same each time. */
  async #undisturbed(kind: Kind): Promise<Reference> {
    const before = this.#devices.map(({ link }) => link.sentBytes())
    const { seen, tokens } = await this.#ask(kind)
    const bytes = Math.max(...this.#devices.map(({ link }, index) => link.sentBytes() - before[index]!))
    const reference = { kind, seen, bytes, tokens }
    if (seen.ends.join() !== 'done') throw new Error(`"${kind.name}" without faults: ${seen.ends.join()}`)
    const problem = judge(reference, await this.#ask(kind))
    if (problem !== undefined) throw new Error(`"${kind.name}" without faults, for the second time: ${problem}`)
    return reference
  }

  async #ask({ body, isStream }: Kind): Promise<Pick<Reference, 'seen' | 'tokens'>> {
    const before = await this.#system.metric('hearth_tokens_total')
    const seen = isStream
      ? await streamSeen(this.#system.client, body)
      : seenOfWhole(await this.#system.client.post(body))
    return { seen, tokens: (await this.#system.metric('hearth_tokens_total')) - before }
  }

  /** The device that sends so much is the one that serves the reply. */
  #arm([next, ...rest]: readonly PlannedFault[], bytes: number): void {
    if (next === undefined) return
    const count = Math.ceil(bytes * next.at)
    const candidates = this.#ready().filter((device) => !this.#struck.includes(device))
    for (const device of candidates)
      device.link.afterBytes(count, () => {
        for (const { link } of candidates) link.forget()
        this.#struck.push(device)
        this.#arm(rest, bytes - count)
        device.strike(next.fault)
      })
  }

  #recover(seams: number): void {
    for (const [index, device] of this.#struck.entries()) {
      const recovered = device.recover(index < seams).then(() => void this.#recovering.delete(device))
      this.#recovering.set(device, recovered)
    }
  }

  #ready(): RealDevice[] {
    return this.#devices.filter((device) => !this.#recovering.has(device))
  }

  /** One more than fail; the last one may take its time to recover. */
  async #devicesFor(faults: readonly PlannedFault[]): Promise<void> {
    const enough = Math.min(faults.length + 1, this.#devices.length)
    while (this.#ready().length < enough) await Promise.race(this.#recovering.values())
  }
}

/** A request on which two engines died is not tried again. */
function killsEngine(faults: readonly PlannedFault[]): boolean {
  return faults.some(({ fault }) => fault === 'engine killed')
}

/** As many faults as leave a device to continue; one that only lost its connection comes back by itself. */
function drawFaults(random: Random, devices: number): PlannedFault[] {
  const faults: PlannedFault[] = []
  const isLast = () => faults.length === devices - 1
  do {
    const drawn = random.pick(FAULTS)
    const fault = isLast() || (drawn === 'engine killed' && killsEngine(faults)) ? 'cut off' : drawn
    faults.push({ fault, at: 0.03 + random.fraction() * (fault === 'drained' ? EARLY : 0.9) })
  } while (faults.length < devices && random.chance(0.35))
  return faults
}

function judge({ kind, seen, tokens }: Reference, found: Pick<Reference, 'seen' | 'tokens'>): string | undefined {
  const difference = findDifference(seen, found.seen)
  if (difference !== undefined) return difference
  if (found.tokens !== tokens) return `${found.tokens} tokens were counted, not ${tokens}`
  try {
    for (const { text } of found.seen.choices) kind.check(text)
    return undefined
  } catch (error) {
    return String(error)
  }
}
