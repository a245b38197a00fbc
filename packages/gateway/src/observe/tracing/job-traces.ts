// The spans of a request: how long it waited, who it was offered to, which devices worked on it, and when its first token came. The gateway tells
// for the device too: devices reach nothing but their gateway. No span has content.
//
//   chat <model> ─┬─ wait          for a slot, once for every time the job is put back
//                 ├─ offer         until the device accepts or refuses
//                 └─ device        until the device is done, or `continuation` if it continues the reply of another one
//                      └─ first token   what the prompt took
//
// Spans are written when they are over, as plain records: the SDK's own ones check each attribute, and cost several times as much.

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Attributes, HrTime, SpanContext } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { SamplingDecision, type Sampler, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { ClientIds } from '@hearth/protocol'
import { outcomeCode, randomHex } from '@hearth/chat'
import type { JobOffer, JobRecord, JobRun, JobWatch, Ticket } from '../../fleet/fleet.ts'

const REQUEST = 'chat'
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'hearth' }
const SECOND_MS = 1_000
const MS_NANOSECONDS = 1e6
const NONE = { links: [], events: [], droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 }

interface Span {
  name: string
  kind: SpanKind
  context: SpanContext
  parent: SpanContext | undefined
  from: number
  to: number
  attributes: Attributes
  code?: string
}

interface OpenTrace {
  readonly context: SpanContext
  readonly parent: SpanContext | undefined
  readonly begunAt: number
  /** Undefined while a device has the job, or is asked. */
  waitingSince: number | undefined
  /** Those that were not settled. */
  readonly offers: Map<number, { isContinued: boolean; acceptedAt: number | undefined }>
}

export interface RejectedTrace {
  requestId: string
  client: ClientIds | undefined
  model: string
  code: string
}

export interface TracesOptions {
  sampler: Sampler
  resource: Resource
  version: string
  /** Takes spans that are over. */
  processor: Pick<SpanProcessor, 'onEnd'>
  close: () => Promise<void>
}

export class JobTraces implements JobWatch {
  readonly #options: TracesOptions
  /** Of the requests that are sampled. */
  readonly #open = new Map<string, OpenTrace>()

  constructor(options: TracesOptions) {
    this.#options = options
  }

  /** What the device hears: the request's own span, if it is sampled. */
  begin({ job, client }: Ticket): ClientIds | undefined {
    const parent = parentOf(client)
    const context = this.#sample(parent)
    if (context === undefined) return client
    const now = performance.now()
    this.#open.set(job, { context, parent, begunAt: now, waitingSince: now, offers: new Map() })
    return { ...client, traceparent: `00-${context.traceId}-${context.spanId}-01` }
  }

  offered({ job, attempt, offeredAt }: JobOffer, isContinued: boolean): void {
    const open = this.#open.get(job)
    if (open === undefined) return
    this.#endWait(open, offeredAt)
    open.offers.set(attempt, { isContinued, acceptedAt: undefined })
  }

  accepted({ offer, acceptedAt }: JobRun): void {
    const known = this.#open.get(offer.job)?.offers.get(offer.attempt)
    if (known !== undefined) known.acceptedAt = acceptedAt
  }

  settled(offer: JobOffer, kind: string, run: JobRun | undefined): void {
    const open = this.#open.get(offer.job)
    const known = open?.offers.get(offer.attempt)
    if (open === undefined || known === undefined) return
    const now = performance.now()
    const { acceptedAt, isContinued } = known
    const about = { 'hearth.device': offer.device, 'hearth.gateway': offer.hub, 'hearth.attempt': offer.attempt }
    const result = { ...about, 'hearth.result': kind }
    this.#add('offer', open.context, offer.offeredAt, acceptedAt ?? now, acceptedAt === undefined ? result : about)
    if (acceptedAt !== undefined) {
      const name = isContinued ? 'continuation' : 'device'
      const device = this.#add(name, open.context, acceptedAt, now, { ...CHAT, ...result }, SpanKind.CLIENT)
      const first = run?.offer === offer ? run.firstEventAt : undefined
      if (first !== undefined) this.#add('first token', device, acceptedAt, first)
    }
    open.offers.delete(offer.attempt)
    if (open.offers.size === 0) open.waitingSince = now
  }

  /** Later than the job's last step. */
  ended({ ticket, outcome, tokens, attempts }: JobRecord): void {
    const open = this.#open.get(ticket.job)
    if (open === undefined) return
    this.#open.delete(ticket.job)
    const now = performance.now()
    if (attempts === 0) this.#endWait(open, now)
    const { job, client, organization, key, model } = ticket
    this.#writeRequest(open, now, client?.requestId ?? job, model, outcomeCode(outcome, model), {
      'gen_ai.usage.input_tokens': tokens.prompt,
      'gen_ai.usage.output_tokens': tokens.completion,
      'hearth.attempts': attempts,
      'hearth.job': job,
      'hearth.organization': organization,
      'hearth.key': key,
    })
  }

  /** One that never became a job. */
  rejected({ requestId, client, model, code }: RejectedTrace): void {
    const parent = parentOf(client)
    const context = this.#sample(parent)
    const now = performance.now()
    if (context !== undefined) this.#writeRequest({ context, parent, begunAt: now }, now, requestId, model, code)
  }

  /** Sends what is left. */
  close(): Promise<void> {
    return this.#options.close()
  }

  /** Before anything is made: most requests have no spans. */
  #sample(parent: SpanContext | undefined): SpanContext | undefined {
    const traceId = parent?.traceId ?? randomHex(16)
    const from = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const { decision } = this.#options.sampler.shouldSample(from, traceId, REQUEST, SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.NOT_RECORD ? undefined : newContext(traceId)
  }

  #writeRequest(
    { context, parent, begunAt }: Pick<OpenTrace, 'context' | 'parent' | 'begunAt'>,
    now: number,
    id: string,
    model: string,
    code: string,
    more: Attributes = {},
  ): void {
    const attributes = { ...CHAT, 'gen_ai.request.model': model, 'hearth.request.id': id, ...more }
    const name = `${REQUEST} ${model}`.trimEnd()
    this.#write({ name, kind: SpanKind.SERVER, context, parent, from: begunAt, to: now, attributes, code })
  }

  #endWait(open: OpenTrace, at: number): void {
    if (open.waitingSince !== undefined) this.#add('wait', open.context, open.waitingSince, at)
    open.waitingSince = undefined
  }

  #add(
    name: string,
    parent: SpanContext,
    from: number,
    to: number,
    attributes: Attributes = {},
    kind: SpanKind = SpanKind.INTERNAL,
  ): SpanContext {
    const context = newContext(parent.traceId)
    this.#write({ name, kind, context, parent, from, to, attributes })
    return context
  }

  /** A client that leaves makes no error. */
  #write({ name, kind, context, parent, from, to, attributes, code = '' }: Span): void {
    const { processor, resource, version } = this.#options
    processor.onEnd({
      ...NONE,
      name,
      kind,
      spanContext: () => context,
      ...(parent !== undefined && { parentSpanContext: parent }),
      startTime: toTime(performance.timeOrigin + from),
      endTime: toTime(performance.timeOrigin + to),
      duration: toTime(to - from),
      ended: true,
      status: { code: code === '' || code === 'canceled' ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: code === '' ? attributes : { ...attributes, 'error.type': code },
      resource,
      instrumentationScope: { name: 'hearth', version },
    })
  }
}

function newContext(traceId: string): SpanContext {
  return { traceId, spanId: randomHex(8), traceFlags: TraceFlags.SAMPLED }
}

function parentOf(client: ClientIds | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = client?.traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

function toTime(ms: number): HrTime {
  const seconds = Math.floor(ms / SECOND_MS)
  return [seconds, Math.round((ms - seconds * SECOND_MS) * MS_NANOSECONDS)]
}
