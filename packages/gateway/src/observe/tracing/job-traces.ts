// The spans of a request: how long it waited, who it was offered to, which devices worked on it, and when its first token came. The gateway tells
// for the device too: devices reach nothing but their gateway. No span has content.
//
//   chat <model> ─┬─ wait          for a slot, once for every time the job is put back
//                 ├─ offer         until the device accepts or refuses
//                 └─ device        until the device is done, or `continuation` if it continues the reply of another one
//                      └─ first token   what the prompt took

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Attributes, Context, HrTime, Span, Tracer } from '@opentelemetry/api'
import { SamplingDecision, type IdGenerator, type Sampler } from '@opentelemetry/sdk-trace'
import { traceOf, type ClientIds } from '@hearth/protocol'
import { outcomeCode, randomHex } from '@hearth/chat'
import type { JobOffer, JobRecord, JobRun, JobWatch, Ticket } from '../../fleet/fleet.ts'

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'hearth' }
const CHAT_SPAN = 'chat'
const NOTHING = {}
const NO_LINKS: [] = []
const SECOND_MS = 1_000
const MS_NANOSECONDS = 1e6

interface OpenTrace {
  readonly span: Span
  readonly context: Context
  readonly model: string
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

/** The trace is chosen before its first span, because its id decides whether there will be any. */
export class TraceIds implements IdGenerator {
  next = ''

  generateTraceId(): string {
    return this.next
  }

  generateSpanId(): string {
    return randomHex(8)
  }
}

export interface TracesOptions {
  /** Records every span, and takes its ids from `ids`. */
  tracer: Tracer
  ids: TraceIds
  /** Asked before a span costs anything: most requests have none. */
  sampler: Sampler
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
  begin(ticket: Ticket): ClientIds | undefined {
    const { job, client, organization, key, model } = ticket
    const now = performance.now()
    const span = this.#startRequest(client?.requestId ?? job, client, model, now)
    if (span === undefined) return client
    span.setAttributes({ 'hearth.job': job, 'hearth.organization': organization, 'hearth.key': key })
    const own = trace.setSpan(ROOT_CONTEXT, span)
    this.#open.set(job, { span, context: own, model, waitingSince: now, offers: new Map() })
    const { traceId, spanId } = span.spanContext()
    return { ...client, traceparent: `00-${traceId}-${spanId}-01` }
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
    const attributes = { 'hearth.device': offer.device, 'hearth.gateway': offer.home, 'hearth.attempt': offer.attempt }
    const result = { ...attributes, 'hearth.result': kind }
    this.#add('offer', open.context, offer.offeredAt, acceptedAt ?? now, acceptedAt === undefined ? result : attributes)
    if (acceptedAt !== undefined) {
      const about = { ...CHAT, 'gen_ai.request.model': open.model, ...result }
      const device = this.#start(
        isContinued ? 'continuation' : 'device',
        open.context,
        acceptedAt,
        about,
        SpanKind.CLIENT,
      )
      const first = run?.offer === offer ? run.firstEventAt : undefined
      if (first !== undefined) this.#add('first token', trace.setSpan(ROOT_CONTEXT, device), acceptedAt, first)
      device.end(toTime(now))
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
    open.span.setAttributes({
      'gen_ai.usage.input_tokens': tokens.prompt,
      'gen_ai.usage.output_tokens': tokens.completion,
      'hearth.attempts': attempts,
    })
    fail(open.span, outcomeCode(outcome, ticket.model))
    open.span.end(toTime(now))
  }

  /** One that never became a job. */
  rejected({ requestId, client, model, code }: RejectedTrace): void {
    const now = performance.now()
    const span = this.#startRequest(requestId, client, model, now)
    if (span === undefined) return
    fail(span, code)
    span.end(toTime(now))
  }

  /** Sends what is left. */
  close(): Promise<void> {
    return this.#options.close()
  }

  /** Undefined if it is not sampled. */
  #startRequest(id: string, client: ClientIds | undefined, model: string, now: number): Span | undefined {
    const { sampler, ids } = this.#options
    const parent = parentOf(client)
    const traceId = traceOf(client) ?? randomHex(16)
    const { decision } = sampler.shouldSample(parent, traceId, CHAT_SPAN, SpanKind.SERVER, NOTHING, NO_LINKS)
    if (decision === SamplingDecision.NOT_RECORD) return undefined
    ids.next = traceId
    const attributes = { ...CHAT, 'gen_ai.request.model': model, 'hearth.request.id': id }
    return this.#start(`${CHAT_SPAN} ${model}`.trimEnd(), parent, now, attributes, SpanKind.SERVER)
  }

  #endWait(open: OpenTrace, at: number): void {
    if (open.waitingSince !== undefined) this.#add('wait', open.context, open.waitingSince, at)
    open.waitingSince = undefined
  }

  #add(name: string, parent: Context, from: number, to: number, attributes: Attributes = {}): void {
    this.#start(name, parent, from, attributes, SpanKind.INTERNAL).end(toTime(to))
  }

  #start(name: string, parent: Context, from: number, attributes: Attributes, kind: SpanKind): Span {
    return this.#options.tracer.startSpan(name, { startTime: toTime(from), attributes, kind }, parent)
  }
}

function parentOf(client: ClientIds | undefined): Context {
  const [, traceId, spanId, flags] = client?.traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** A client that leaves makes no error. */
function fail(span: Span, code: string): void {
  if (code === '') return
  span.setAttribute('error.type', code)
  if (code !== 'canceled') span.setStatus({ code: SpanStatusCode.ERROR })
}

function toTime(ms: number): HrTime {
  const at = performance.timeOrigin + ms
  const seconds = Math.floor(at / SECOND_MS)
  return [seconds, Math.round((at - seconds * SECOND_MS) * MS_NANOSECONDS)]
}
