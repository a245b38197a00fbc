import { expect, it } from 'vitest'
import { addBegun, encodeJobStart, parseGatewayFrames } from '../frames/codec.ts'
import { BOX_BYTES, MAX_BEGUN_ATTEMPTS, MAX_BEGUN_BYTES } from '../limits.ts'
import type { SealedRequest } from '../job/sealed-request.ts'
import { SealedRecord } from './sealed-record.ts'

const request: SealedRequest = { sealed: { header: '{}', box: 'AAAA', keys: [] }, model: 'm' }

it('a sealed record has the boxes of each attempt, in order', () => {
  const record = new SealedRecord()
  expect([record.begun(), record.bytes, record.isComplete]).toEqual([undefined, 0, true])
  record.add({ attempt: 1, box: 'AA' })
  record.add({ attempt: 1, box: 'BB' })
  record.add({ attempt: 4, box: 'CC' })
  expect(record.begun()).toEqual([
    { attempt: 1, boxes: ['AA', 'BB'] },
    { attempt: 4, boxes: ['CC'] },
  ])
  expect(record.bytes).toBe(6 + 3 * BOX_BYTES)
})

it.each<[string, (record: SealedRecord) => void, number]>([
  ['bytes', (record) => record.add({ attempt: 1, box: 'A'.repeat(65_536 - BOX_BYTES) }), MAX_BEGUN_BYTES / 65_536],
  ['boxes', (record) => record.add({ attempt: 1, box: '' }), MAX_BEGUN_BYTES / BOX_BYTES],
])('a device reads the largest sealed record by its %s, and one more gives it up', (_what, add, most) => {
  const record = new SealedRecord()
  for (let added = 0; added < most; added++) add(record)
  expect([record.isComplete, isRead(record)]).toEqual([true, true])
  add(record)
  expect([record.isComplete, record.begun(), record.bytes]).toEqual([false, undefined, 0])
  add(record)
  expect(record.bytes).toBe(0)
})

it('a device reads a sealed record of as many attempts as it may have, and one more gives it up', () => {
  const record = new SealedRecord()
  for (let attempt = 0; attempt < MAX_BEGUN_ATTEMPTS; attempt++) record.add({ attempt, box: 'A' })
  expect([record.isComplete, isRead(record)]).toEqual([true, true])
  record.add({ attempt: MAX_BEGUN_ATTEMPTS, box: 'A' })
  expect([record.isComplete, record.begun()]).toEqual([false, undefined])
})

function isRead(record: SealedRecord): boolean {
  const begun = record.begun()
  const text = addBegun(JSON.stringify(request), begun)
  let isSame = false
  const head = { type: 'job-start', job: 'j', attempt: 9, organization: 'o' } as const
  parseGatewayFrames(encodeJobStart(head, { request: text }), (frame) => {
    const read = frame.type === 'job-start' ? frame.request : undefined
    isSame = JSON.stringify(read) === JSON.stringify({ ...request, recovery: { begun } })
  })
  return isSame
}
