// Decides about each job that a device's engine gets: an honest client must have sealed it for this device, it must be fresh, and new.

import { isDeepStrictEqual } from 'node:util'
import { TextSum, type BegunChoice } from '@hearth/protocol'
import type { EngineJob } from '../../../../packages/device/src/engines/engine.ts'
import { findWords } from '../../../sealed/search/find-words.ts'
import type { FuzzedDevice } from './fuzzed-device.ts'
import { CANARIES, type HonestJob } from './honest-jobs.ts'

const FRESH_MS = 5 * 60_000
const BEGUN_FRESH_MS = 60 * 60_000

export class RunJudge {
  readonly #taken = new Set<string>()
  why: string | undefined

  /** Returns the job, and the number of its words that the reply has already. */
  judge(
    job: EngineJob,
    {
      attempt,
      device,
      jobs,
      now,
    }: { attempt: number | undefined; device: FuzzedDevice; jobs: readonly HonestJob[]; now: number },
  ): { known: HonestJob; from: number } | undefined {
    const content = Buffer.from(JSON.stringify(job))
    if (attempt === undefined) {
      if (findWords(content, CANARIES).length > 0) this.why ??= 'a device ran a plain job that nobody can know'
      return undefined
    }
    const known = jobs.find(({ canary }) => content.includes(canary))
    if (known === undefined) {
      this.why ??= `a device ran a job that nobody sealed: ${content.toString()}`
      return undefined
    }
    const { recovery, prefixScope: _, ...rest } = job
    const from = countWords(known, recovery?.choices?.[0])
    if (!isDeepStrictEqual(rest, known.job)) this.why ??= `a device ran a changed job: ${content.toString()}`
    if (!known.sealed.keys.some((key) => key.device === device.id))
      this.why ??= `${device.id} ran a job of another device`
    if (from === undefined) this.why ??= `a device believed a beginning that nobody wrote: ${JSON.stringify(recovery)}`
    if (!isFresh(known.header.sealedAt - now, from ?? 0)) this.why ??= 'a device ran a job that is too old or too new'
    this.#takeOnce(`${device.id} ${device.starts} ${known.header.id} ${attempt}`)
    return { known, from: from ?? 0 }
  }

  #takeOnce(key: string): void {
    if (this.#taken.has(key)) this.why ??= 'a device ran one attempt of a job twice'
    this.#taken.add(key)
  }
}

/** Undefined if it is no beginning of the reply. */
function countWords({ words }: HonestJob, begun: BegunChoice | undefined): number | undefined {
  if (begun === undefined) return 0
  const sum = new TextSum()
  for (let count = 0; count <= words.length; count++) {
    if (sum.length === begun.length && sum.checksum === begun.checksum) return count
    sum.add(words[count] ?? '')
  }
  return undefined
}

function isFresh(ahead: number, begun: number): boolean {
  return ahead <= FRESH_MS && -ahead <= (begun > 0 ? BEGUN_FRESH_MS : FRESH_MS)
}
