import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace'
import { emptyResource } from '@opentelemetry/resources'
import { describe, expect, it } from 'vitest'
import type { JobOffer, JobRun } from '../../fleet/fleet.ts'
import { aRecord, aTicket } from '../../testing/job-record.ts'
import { JobTraces } from './job-traces.ts'

const TRACE = '4b'.repeat(16)
const PARENT = '12'.repeat(8)

const TICKET = aTicket({
  job: 'req_1',
  client: { requestId: 'order-17', traceparent: `00-${TRACE}-${PARENT}-01` },
})
const RECORD = aRecord({ ticket: TICKET, attempts: 2 })

function open() {
  const exporter = new InMemorySpanExporter()
  const processor = new SimpleSpanProcessor({ exporter })
  const sampler = new ParentBasedSampler({ root: new AlwaysOnSampler() })
  const close = () => processor.shutdown()
  return { traces: new JobTraces({ processor, sampler, resource: emptyResource(), version: '1', close }), exporter }
}

function offerOf(attempt: number, device: string, offeredAt: number): JobOffer {
  const rest = { lease: attempt, epoch: 1, hub: 'here', file: undefined, lateAt: 0, answerBy: 0, isLate: false }
  return { job: TICKET.job, attempt, device, offeredAt, ...rest }
}

function runOf(offer: JobOffer, acceptedAt: number, firstEventAt: number | undefined): JobRun {
  const counts = { lastSignAt: acceptedAt, nextSequence: 0, promptTokens: undefined, deliveredTokens: 0 }
  const about = { offer, number: offer.attempt, device: offer.device, isLoading: false, hasLoaded: false }
  return { name: 'running', ...about, ...counts, acceptedAt, firstEventAt }
}

describe('the spans of a request', () => {
  it('[A15h] show its wait, its offers, its devices, their first token and what another device continued', () => {
    const { traces, exporter } = open()
    const passedOn = traces.begin(TICKET)
    const now = performance.now()
    const [first, second] = [offerOf(1, 'd1', now + 1), offerOf(2, 'd2', now + 6)]
    const [lost, ran] = [runOf(first, now + 2, now + 3), runOf(second, now + 7, now + 8)]
    traces.offered(first, false)
    traces.accepted(lost)
    traces.settled(first, 'lost', lost)
    traces.offered(second, true)
    traces.accepted(ran)
    traces.settled(second, 'ended', ran)
    traces.ended(RECORD)
    const spans = exporter.getFinishedSpans()
    const request = spans.at(-1)!
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
    const inside = (id = '') => byId.get(id) ?? 'its client'
    const places = spans.map(({ name, parentSpanContext }) => `${name} in ${inside(parentSpanContext?.spanId)}`)
    expect(places.join(', ')).toBe(
      'wait in chat m, offer in chat m, device in chat m, first token in device, ' +
        'wait in chat m, offer in chat m, continuation in chat m, first token in continuation, chat m in its client',
    )
    expect(request.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT, isRemote: true })
    expect(passedOn).toEqual({ requestId: 'order-17', traceparent: `00-${TRACE}-${request.spanContext().spanId}-01` })
    expect(request.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 2,
      'gen_ai.usage.output_tokens': 3,
      'hearth.request.id': 'order-17',
    })
  })

  it('[A15h] say what went wrong, of a job and of a request that became none', () => {
    const { traces, exporter } = open()
    traces.begin(TICKET)
    traces.ended({ ...RECORD, outcome: { kind: 'no-device' }, attempts: 0 })
    traces.rejected({ requestId: 'r', client: undefined, model: '', code: 'invalid_json' })
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['wait', undefined],
      ['chat m', 'model_unavailable'],
      ['chat', 'invalid_json'],
    ])
  })

  it('[A15h] are not made for a request that its client does not sample', () => {
    const { traces, exporter } = open()
    const client = { traceparent: `00-${TRACE}-${PARENT}-00` }
    expect(traces.begin({ ...TICKET, client })).toBe(client)
    traces.offered(offerOf(1, 'd', 0), false)
    traces.ended(RECORD)
    expect(exporter.getFinishedSpans()).toEqual([])
  })
})
