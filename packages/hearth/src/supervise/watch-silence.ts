// Looks at the process of a part every second. Says so if it is slow, and ends it if it is stuck.

import {
  judge,
  lengthen,
  NO_SILENCE,
  shareOf,
  WHILE_RUNNING,
  WHILE_STARTING,
  type Activity,
  type Silence,
} from './patience.ts'
import type { PartProcess } from './part-process.ts'
import type { Extent } from './read-activity.ts'

export interface WatchOptions {
  name: string
  process: Pick<PartProcess, 'pid' | 'kill'>
  say: (text: string) => void
  now: () => number
  /** Calls `look` until the returned function is called. */
  every: (ms: number, look: () => void) => () => void
  readActivity: (pid: number, extent: Extent) => Promise<Activity | undefined>
}

const LOOK_MS = 1_000
/** Shorter silences are common, and some systems take a while to answer. */
const UNASKED_LOOKS = 2
/** A start that takes longer is worth a word. */
const USUAL_START_MS = 30_000
const NEXT = 'ending it. If it could still say where it hangs, the log has it'

export class SilenceWatch {
  readonly #options: WatchOptions
  readonly #startedAt: number
  readonly #stopLooking: () => void
  #silence = NO_SILENCE
  #isStarting = true
  #isAsking = false
  /** Said once while it starts, and once while it runs. */
  #isKnownSlow = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#startedAt = options.now()
    this.#stopLooking = options.every(LOOK_MS, () => void this.#look())
  }

  /** Its event loop has turned. */
  lives(): void {
    this.#silence = NO_SILENCE
  }

  /** Whoever starts and prints goes on. Later, an endless loop may print too. */
  prints(): void {
    if (this.#isStarting) this.lives()
  }

  isUp(): void {
    this.#isStarting = false
    this.#isKnownSlow = false
    this.lives()
  }

  stop(): void {
    this.#stopLooking()
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return
    const before = this.#silence
    const seen = this.#startsSlowly() || before.looks >= UNASKED_LOOKS ? await this.#ask() : undefined
    // Otherwise it gave a sign of life meanwhile.
    if (this.#silence !== before) return
    this.#silence = lengthen(before, seen)
    if (this.#startsSlowly()) this.#saySlowStart(seen)
    this.#act(this.#silence)
  }

  async #ask(): Promise<Activity | undefined> {
    const { process, readActivity } = this.#options
    if (process.pid === undefined) return undefined
    this.#isAsking = true
    const seen = await readActivity(process.pid, this.#isStarting ? 'tree' : 'main thread')
    this.#isAsking = false
    return seen
  }

  #act(silence: Silence): void {
    const verdict = judge(silence, this.#isStarting ? WHILE_STARTING : WHILE_RUNNING)
    if (verdict === 'slow' && !this.#isKnownSlow) this.#saySlow(silence)
    if (verdict === 'idle') this.#end('and does nothing')
    if (verdict === 'looping') this.#end('and computes without an end')
  }

  #end(how: string): void {
    const { name, process, say } = this.#options
    say(`${name} has not answered for ${this.#silence.looks} s ${how}; ${NEXT}`)
    this.#stopLooking()
    process.kill()
  }

  #startsSlowly(): boolean {
    return this.#isStarting && !this.#isKnownSlow && this.#ageMs() >= USUAL_START_MS
  }

  #saySlowStart(seen: Activity | undefined): void {
    this.#isKnownSlow = true
    const share = describeShare(seen && seen.cpuMs / this.#ageMs())
    this.#options.say(
      `${this.#options.name}: starting slowly (${seconds(this.#ageMs())} so far${share}); still waiting`,
    )
  }

  #saySlow(silence: Silence): void {
    this.#isKnownSlow = true
    const share = describeShare(shareOf(silence))
    this.#options.say(`${this.#options.name}: answering slowly (silent for ${silence.looks} s${share}); still waiting`)
  }

  #ageMs(): number {
    return this.#options.now() - this.#startedAt
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

function describeShare(share: number | undefined): string {
  return share === undefined ? '' : `; it gets ${Math.round(share * 100)} % of a core`
}
