import { describe, expect, it } from 'vitest'
import { aRecord, aTicket } from '../testing/job-record.ts'
import { formatJobFields, formatStartFields } from './job-fields.ts'

const RECORD = aRecord({
  ticket: aTicket({ job: 'req_1', model: 'a "quoted"\nname' }),
  waitMs: 0.4,
  firstEventMs: 1.6,
  totalMs: 2.5,
})

describe('the log line of a job', () => {
  it('is JSON with the fields of the job', () => {
    expect(JSON.parse(`{${formatJobFields(RECORD)}}`)).toEqual({
      request: 'req_1',
      organization: 'acme',
      key: 'k',
      model: 'a "quoted"\nname',
      device: 'd',
      outcome: 'ended',
      stream: true,
      promptTokens: 2,
      completionTokens: 3,
      waitMs: 0,
      firstEventMs: 2,
      totalMs: 3,
    })
  })

  it('[A15h] names the request as the client does, with its trace and the id of the job', () => {
    const client = { requestId: 'order-17', traceparent: `00-${'4b'.repeat(16)}-${'1'.repeat(16)}-01` }
    const names = { request: 'order-17', job: 'req_1', trace: '4b'.repeat(16) }
    const record = { ...RECORD, ticket: { ...RECORD.ticket, client } }
    expect(JSON.parse(`{${formatJobFields(record)}}`)).toMatchObject(names)
    const start = {
      job: 'req_1',
      attempt: 2,
      lease: 1,
      device: 'd',
      epoch: 1,
      edition: 1,
      organization: 'acme',
      model: 'm',
    }
    expect(JSON.parse(`{${formatStartFields('front', { ...start, client })}}`)).toEqual({
      ...names,
      attempt: 2,
      organization: 'acme',
      device: 'd',
      from: 'front',
    })
  })

  it('leaves out the device and the first token if there was none', () => {
    const fields = JSON.parse(`{${formatJobFields({ ...RECORD, device: undefined, firstEventMs: undefined })}}`)
    expect(fields).not.toHaveProperty('device')
    expect(fields).not.toHaveProperty('firstEventMs')
  })
})
