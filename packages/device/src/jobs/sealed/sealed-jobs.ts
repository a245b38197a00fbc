// Opens sealed requests, so that the rest of the device sees ordinary jobs, and has their replies sealed. Nothing that the gateway adds can
// put words into such a job.

import {
  type JobStart,
  type ModelDefaults,
  type SealedRequest,
  type PrefixScope,
  ProtocolError,
  readDeviceFrame,
  ReplyRecord,
  type ChatJob,
  jobNeeds,
  parseChatJob,
} from '@hearth/protocol'
import {
  EventSealer,
  type AgreementKey,
  type SealedHeader,
  openBegun,
  type Transcript,
  openJob,
  type ContentKey,
} from '@hearth/sealing'
import { asFields } from '@hearth/sealing/fields'
import type { Clock } from '../../clock.ts'
import type { OpenLink } from '../../link/run-link.ts'
import type { ReadyJob } from '../ready-job.ts'
import { withDefaults } from '../with-defaults.ts'
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

// The beginning of a sealed reply, as other devices wrote it. This device opens it itself, because the gateway that keeps it can't.
interface Beginning {
  /** As the gateway would ask for it, if it could read. */
  recovery: Pick<ChatJob, 'recovery'>
  /** Binds the rest of the reply to this beginning. */
  transcript: Transcript
}

function openBeginning({ recovery }: SealedRequest, opened: OpenedRequest): Beginning | SealProblem {
  const { contentKey, header } = opened
  const begun = openBegun(contentKey, recovery?.begun ?? [])
  if (begun.kind === 'rejected') return begun.reason === 'too-large' ? 'begun-too-long' : 'begun-not-opened'
  const { attempts, transcript } = begun
  if (recovery === undefined) return { recovery: {}, transcript }
  const record = readRecord(attempts.flatMap(({ plains }) => plains))
  if (record === undefined) return 'begun-not-opened'
  if (!record.isComplete) return 'begun-too-long'
  const choices = record.choices(header.choices)
  return { recovery: { recovery: { bareId: true, ...(choices !== undefined && { choices }) } }, transcript }
}

/** Undefined if one of them is no event: the device that sealed it is another one, and may be broken. */
function readRecord(events: readonly Uint8Array[]): ReplyRecord | undefined {
  const record = new ReplyRecord()
  try {
    for (const event of events) note(record, JSON.parse(Buffer.from(event).toString()))
    return record
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof SyntaxError) return undefined
    throw error
  }
}

function note(record: ReplyRecord, event: unknown): void {
  const frame = readDeviceFrame({ ...asFields(event), job: '', attempt: 0, sequence: 0 })
  if (frame?.type === 'job-delta') record.addText(frame)
  else if (frame?.type === 'job-calls') record.addCalls(frame.choice)
}

// From a sealed request to the job in it.
interface OpenedRequest {
  header: SealedHeader
  contentKey: ContentKey
  job: ChatJob
}

interface Addressee {
  key: AgreementKey
  device: string
  organization: string
}

async function openRequest(
  { sealed, model }: SealedRequest,
  { key, device, organization }: Addressee,
): Promise<OpenedRequest | SealProblem> {
  const opened = await openJob({ sealed, device, privateKey: key.privateKey })
  if (opened.kind === 'rejected') return opened.reason
  const { header, contentKey } = opened
  const job = readJob(opened.job)
  if (job === undefined) return 'malformed'
  const isFitting = header.organization === organization && header.model === model && fits(header, job)
  return isFitting ? { header, contentKey, job } : 'other-content'
}

/** Without what only gateways ask for. Undefined: the client sealed something else. */
function readJob(text: string): ChatJob | undefined {
  try {
    const { recovery: _, ...job } = parseChatJob(text)
    return job
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

/** The gateway chose this device and counts by the header, so the header must not say anything else. */
function fits(header: SealedHeader, whole: ChatJob): boolean {
  const { prefixScope: _, ...job } = whole
  const isNamed = jobNeeds(job).every(({ feature }) => header.features.includes(feature))
  return isNamed && header.model === job.model && header.choices === (job.n ?? 1)
}
