import { describe, expect, it } from 'vitest'
import { readPeerMessage } from './messages.ts'

describe('a message of another gateway', () => {
  it.each([
    { type: 'watch', organization: 'o' },
    { type: 'freed', organization: 'o', device: 'd', lease: 1 },
    { type: 'question', id: 1, question: { kind: 'waiting', key: 'k' } },
    { type: 'job-accept', job: 'j', attempt: 1 },
  ])('is taken as it is: $type', (message) => {
    expect(readPeerMessage(message)).toStrictEqual(message)
  })

  it.each([
    null,
    'watch',
    {},
    { type: 'from-the-future' },
    { type: 'constructor' },
    { type: 'pong' },
    { type: 'watch', organization: {} },
    { type: 'question', id: 1 },
    { type: 'question', id: 1, question: { kind: 'model-request', organization: 'o', device: 'd', ask: null } },
    { type: 'order', device: 'd', epoch: -1, frame: { type: 'job-pause', job: 'j', attempt: 1 } },
    { type: 'served', organization: 'o', models: 'm' },
    { type: 'job-delta', job: 'j', attempt: 1, sequence: 0, choice: 99, text: 't' },
  ])('is not taken if it makes no sense: %j', (message) => {
    expect(() => readPeerMessage(message)).toThrow()
  })
})
