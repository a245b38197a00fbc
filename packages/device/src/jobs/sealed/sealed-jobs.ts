// Opens sealed requests, so that the rest of the device sees ordinary jobs, and has their replies sealed. Nothing that the gateway adds can
// put words into such a job.

import type { JobStart, ModelDefaults, PrefixScope, SealedRequest } from '@hearth/protocol'
import { EventSealer, type AgreementKey, type SealedHeader } from '@hearth/sealing'
import type { Clock } from '../../clock.ts'
import type { OpenLink } from '../../link/run-link.ts'
import type { ReadyJob } from '../ready-job.ts'
import { withDefaults } from '../with-defaults.ts'
import { openBeginning } from './open-beginning.ts'
import { openRequest } from './open-request.ts'
import { sealRejected, type SealProblem } from './rejection.ts'
import { sealLink } from './seal-link.ts'
import { TakenRequests } from './taken-requests.ts'
import { randomUUID } from 'node:crypto'
import type { EngineScope } from '../../engines/engine.ts'

export interface SealedJobsOptions {
  key: AgreementKey
  /** The ID that clients know this device by. */
  device: () => string
  /** The organization this device was enrolled in. */
  organization: () => string
  clock: Pick<Clock, 'date'>
}

export class SealedJobs {
  readonly #options: SealedJobsOptions
  readonly #taken: TakenRequests

  constructor(options: SealedJobsOptions) {
    this.#options = options
    this.#taken = new TakenRequests(() => options.clock.date().getTime())
  }

  /** The job, or why it can't run here. */
  async open(start: JobStart, request: SealedRequest, link: OpenLink): Promise<ReadyJob | SealProblem> {
    try {
      return await this.#open(start, request, link)
    } catch {
      // Whatever somebody sealed must not end the app. The error may quote it, so it goes nowhere.
      return 'malformed'
    }
  }

  async #open(start: JobStart, request: SealedRequest, link: OpenLink): Promise<ReadyJob | SealProblem> {
    const { key, device, organization } = this.#options
    const opened = await openRequest(request, { key, device: device(), organization: organization() })
    if (typeof opened === 'string') return opened
    const beginning = openBeginning(request, opened)
    if (typeof beginning === 'string') return beginning
    const { prefixScope: clientScope, ...job } = opened.job
    const { prefixScope } = request
    const scope = privateScope(prefixScope, clientScope)
    const ready = { ...job, ...beginning.recovery }
    return {
      request: { ...ready, ...(prefixScope !== undefined && { prefixScope }) },
      link: sealLink(link, new EventSealer(opened.contentKey, start.attempt, beginning.transcript)),
      claim: () => this.#claim(start, request, opened.header),
      engineJob: (defaults) => ({ ...withDefaults(ready, wordless(defaults)), prefixScope: scope }),
    }
  }

  #claim(start: JobStart, { recovery }: SealedRequest, { id, sealedAt }: SealedHeader): ReturnType<ReadyJob['claim']> {
    const isBegun = recovery?.begun?.some(({ boxes }) => boxes.length > 0) ?? false
    const problem = this.#taken.take({ id, sealedAt, attempt: start.attempt, isBegun })
    return problem && sealRejected(start, problem)
  }
}

/** A gateway that can't read a prompt must not be able to write into it. */
function wordless(defaults: ModelDefaults | undefined): ModelDefaults | undefined {
  if (defaults === undefined) return undefined
  const { systemMessage: _, chatTemplate: __, ...numbers } = defaults
  return numbers
}

/**
 * Nobody but its client may reuse what was computed for a sealed prompt, or the gateway could guess the prompt word by word: it sees how much
 * of a job was computed before. So the name is a secret of the client, who seals it into the job. Without one, nothing is reused.
 */
function privateScope(gateway: PrefixScope | undefined, client: PrefixScope | undefined): EngineScope {
  const secret = client?.name ?? randomUUID()
  return { name: `sealed ${secret} ${gateway?.name ?? ''}`, isSeparate: true, isPrivate: true }
}
