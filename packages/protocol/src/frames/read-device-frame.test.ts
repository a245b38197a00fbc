import { describe, expect, it } from 'vitest'
import { parseDeviceFrames } from './codec.ts'
import { ProtocolError } from '../read-fields.ts'

const attempt = { job: 'j', attempt: 1 }
const place = { ...attempt, sequence: 0, choice: 0 }
const model = { name: 'm', contextLength: 4096, slots: 1, features: [] }
const sizing = { trainedLength: 8192, cacheType: 'f16', gpuLayers: 0, layers: 3, why: '' }
const hello = { type: 'hello', protocols: [1], app: '1.0.0', boot: 'b', engine: 'llama', models: [] }
const error = { type: 'job-error', ...attempt, code: 'failed', retryable: true, crashed: false }
const token = { token: 'a', logprob: -1, bytes: [97] }
const usage = { promptTokens: 1, completionTokens: 1 }

function list(length: number, item: unknown): unknown[] {
  return Array.from({ length }, () => item)
}

const read = (frame: object) => parseDeviceFrames(JSON.stringify(frame), () => {})

describe('limits on what a device sends', () => {
  it.each<[string, number, (size: number) => object]>([
    ['protocol versions', 64, (size) => ({ ...hello, protocols: list(size, 1) })],
    ['the length of a name', 256, (size) => ({ ...hello, engine: 'e'.repeat(size) })],
    ["the length of a machine's texts", 128, (size) => ({ ...hello, machine: { processor: 'p'.repeat(size) } })],
    ['models', 256, (size) => ({ type: 'models', models: list(size, model) })],
    ['slots', 64, (size) => ({ type: 'models', models: [{ ...model, slots: size }] })],
    ['more slots', 192, (size) => ({ type: 'models', models: [{ ...model, slots: 64, moreSlots: size }] })],
    ['features', 256, (size) => ({ type: 'models', models: [{ ...model, features: list(size, 'tools') }] })],
    ['the length of a digest', 256, (size) => ({ type: 'models', models: [{ ...model, digest: 'd'.repeat(size) }] })],
    [
      'the length of a reason for a size',
      256,
      (size) => ({ type: 'models', models: [{ ...model, sizing: { ...sizing, why: 'w'.repeat(size) } }] }),
    ],
    ['the time to load', 3_600_000, (size) => ({ type: 'models', models: [{ ...model, loadMs: size }] })],
    ['blocked requests', 1_000, (size) => ({ type: 'models', models: [{ ...model, blockedRequests: size }] })],
    ['the length of a job id', 256, (size) => ({ type: 'job-accept', job: 'j'.repeat(size), attempt: 1 })],
    ['the index of a choice', 7, (size) => ({ type: 'job-delta', ...place, choice: size, text: '' })],
    ['tokens with probabilities', 8_192, (size) => delta({ logprobs: list(size, { ...token, bytes: [], top: [] }) })],
    ['alternatives per token', 20, (size) => delta({ logprobs: [{ ...token, top: list(size, token) }] })],
    ['a byte', 255, (size) => delta({ logprobs: [{ ...token, bytes: [size], top: [] }] })],
    ['the length of a token', 4096, (size) => delta({ logprobs: [{ ...token, token: 't'.repeat(size), top: [] }] })],
    ['bytes of a token', 512, (size) => delta({ logprobs: [{ ...token, bytes: list(size, 1), top: [] }] })],
    [
      'calls',
      128,
      (size) => ({ type: 'job-calls', ...place, calls: list(size, { id: 'i', name: 'n', arguments: '{}' }) }),
    ],
    ['citations', 1024, (size) => citations(list(size, { url: 'u', title: 't', start: 0, end: 1 }))],
    ['the length of an address', 8192, (size) => citations([{ url: 'u'.repeat(size), title: 't', start: 0, end: 1 }])],
    ['choices', 8, (size) => ({ type: 'job-end', ...attempt, sequence: 0, finishes: list(size, 'stop') })],
    ['a token id', 2_147_483_647, (size) => delta({ ids: size })],
    ['a token id in a list', 2_147_483_647, (size) => delta({ ids: [size] })],
    ['the length of a sealed event', 1_040_384, (size) => sealed({ box: 'b'.repeat(size) })],
    ['tokens of a sealed event', 1_000_000_000, (size) => sealed({ tokens: size })],
    ['the length of a sealed end', 32_768, (size) => ({ ...end(usage), box: 'b'.repeat(size) })],
    ['the length of a sealed error', 32_768, (size) => ({ ...error, message: '', box: 'b'.repeat(size) })],
    ['tokens of a delta', 1_000_000_000, (size) => delta({ tokens: size })],
    ['tokens of a job', 1_000_000_000, (size) => end({ ...usage, promptTokens: size })],
    ['models on the disk', 256, (size) => library({ models: list(size, { name: 'm', bytes: 1 }) })],
    ['the length of a reason why a library is closed', 1_000, (size) => library({ why: 'w'.repeat(size) })],
    ['the length of a source', 2_048, (size) => download({ source: 's'.repeat(size) })],
    ['the length of a problem of a download', 1_000, (size) => download({ problem: 'p'.repeat(size) })],
    ['the length of a request id', 256, (size) => ({ type: 'model-reply', request: 'r'.repeat(size) })],
    ['watts', 1_000_000, (size) => energy({ watts: size })],
    ['watt-hours of a day', 24_000_000, (size) => energy({ wattHoursToday: size })],
    ['parts of a machine', 16, (size) => energy({ parts: list(size, 'gpu') })],
    ['a count', Number.MAX_SAFE_INTEGER, (size) => ({ type: 'job-accept', job: 'j', attempt: size })],
  ])('%s: %i is read, one more is rejected', (_what, most, frame) => {
    expect(() => read(frame(most))).not.toThrow()
    expect(() => read(frame(most + 1))).toThrow(ProtocolError)
  })

  it.each([-1, 0.5, 1e300])('a count of %d is rejected', (value) => {
    expect(() => read({ type: 'job-accept', job: 'j', attempt: value })).toThrow(ProtocolError)
  })

  it.each(['k'.repeat(42), 'k'.repeat(44), '+'.repeat(43)])('a seal key %s is rejected', (sealKey) => {
    expect(() => read({ ...hello, sealKey })).toThrow(ProtocolError)
  })

  it.each([-0.1, '5', null])('%s watts are rejected', (value) => {
    expect(() => read(energy({ watts: value }))).toThrow(ProtocolError)
  })

  it('the message of an error is cut', () => {
    parseDeviceFrames(JSON.stringify({ ...error, message: 'm'.repeat(5000) }), (frame) => {
      expect(frame).toEqual({ ...error, message: 'm'.repeat(2048) })
    })
    expect.assertions(1)
  })
})

function delta(change: object): object {
  return { type: 'job-delta', ...place, text: 'a', ...change }
}

function sealed(change: object): object {
  return { type: 'job-sealed', ...attempt, sequence: 0, box: 'AAAA', ...change }
}

function citations(annotations: unknown[]): object {
  return { type: 'job-annotations', ...place, annotations }
}

function end(counted: object): object {
  return { type: 'job-end', ...attempt, sequence: 0, finishes: ['stop'], usage: counted }
}

function library(change: object): object {
  return { type: 'library', library: { isOpen: true, diskFreeBytes: 1, memoryBytes: 1, models: [], ...change } }
}

function download(change: object): object {
  return { type: 'downloads', downloads: [{ model: 'm', doneBytes: 0, ...change }] }
}

function energy(change: object): object {
  return { type: 'energy', energy: { parts: ['gpu'], watts: 1, wattHoursToday: 1, ...change } }
}
