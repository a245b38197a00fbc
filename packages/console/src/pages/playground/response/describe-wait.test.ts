import { describe, expect, it } from 'vitest'
import { describeStall, describeWait, type WaitingRequest } from './describe-wait.ts'
import type { Model } from '../models/chosen-model.ts'

const serving = { device: 'd', name: 'Desk', isPaused: false } as Model['devices'][number]
const model = (more: Partial<Model>) => ({ devices: [serving], slots: 2, running: 0, queued: 0, ...more }) as Model
const WAITING = { model: 'm', state: 'queued', device: null, done: null, total: null, place: null, expectedMs: null }
const request = (more: Partial<WaitingRequest>) => ({ ...WAITING, ...more }) as WaitingRequest

describe('what a request waits for', () => {
  it.each([
    ['no device', model({ devices: [] }), undefined, 'No device serves this model right now.'],
    ['a slot', model({ running: 2, queued: 3 }), request({}), 'All 2 slots are busy. 3 requests are waiting'],
    ['the only slot', model({ slots: 1, running: 1, queued: 1 }), undefined, 'The only slot is busy. 1 request is'],
    ['a place in line', model({ running: 2, queued: 3 }), request({ place: 3 }), '3rd in line. All 2 slots are busy.'],
    [
      'a place and a time',
      model({ slots: 1, running: 1, queued: 9 }),
      request({ place: 1, expectedMs: 11_700 }),
      'Next in line, about 12 s. The only slot is busy.',
    ],
    [
      'loading, with a time',
      model({}),
      request({ state: 'loading', device: 'Desk', expectedMs: 43_000 }),
      'Loading the model on Desk, about 45 s.',
    ],
    [
      'half of it, with a time',
      model({}),
      request({ state: 'prompt', done: 5, total: 10, expectedMs: 90_000 }),
      '5 of 10 tokens, about 2 min',
    ],
    ['a device', model({}), request({}), 'Waiting for a device'],
    ['loading', model({}), request({ state: 'loading', device: 'Desk' }), 'Loading the model on Desk.'],
    ['the prompt', model({}), request({ state: 'prompt', device: 'Desk' }), 'Reading the prompt on Desk…'],
    ['half of it', model({}), request({ state: 'prompt', done: 5, total: 10 }), 'on the device: 5 of 10 tokens'],
    ['thoughts', model({}), request({ state: 'reasoning', device: 'Desk' }), 'Thinking on Desk'],
    ['a search', model({}), request({ state: 'searching', device: 'Desk' }), 'Searching the web on Desk'],
  ])('is said in words: %s', (_what, known, waiting, words) => {
    expect(describeWait(known, waiting)).toContain(words)
  })
})

describe('why a response has stopped growing', () => {
  it.each([
    ['it went away', model({}), { id: 'gone', name: 'Attic' }, 'Attic stopped answering. Looking for another device…'],
    ['nobody is left', model({ devices: [] }), { id: 'gone', name: 'Attic' }, 'no other device serves this model'],
    ['it is there', model({}), { id: 'd', name: 'Desk' }, 'No new text from Desk.'],
    ['nobody knows', model({}), undefined, 'No new text from the device.'],
  ])('is said in words: %s', (_what, known, device, words) => {
    expect(describeStall(known, device)).toContain(words)
  })
})
