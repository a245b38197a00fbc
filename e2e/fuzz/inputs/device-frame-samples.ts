// A frame of every type that a device can send. The compiler demands new ones.

import { FEATURES, type DeviceFrame } from '@hearth/protocol'
import { PAIR } from '../../harness/seed.ts'

export const MODEL = { name: PAIR, contextLength: 8_192, slots: 4, features: [...FEATURES] }
const AT = { job: '{{JOB}}', attempt: 1 }
const TOKEN = { token: 't', logprob: -1, bytes: [116] }
const SHA256 = '0123456789abcdef'.repeat(4)
const SOURCE = 'https://models.example.test/m.gguf?signature=secret'

type Samples = { [Type in DeviceFrame['type']]: Extract<DeviceFrame, { type: Type }> }

export const DEVICE_FRAME_SAMPLES: Samples = {
  hello: {
    type: 'hello',
    protocols: [1],
    app: 'fuzz',
    boot: 'b',
    engine: 'e',
    models: [MODEL],
    machine: { model: 'm', system: 's', processor: 'p', cores: 8, memoryBytes: 2 ** 34, gpu: 'g' },
  },
  models: { type: 'models', models: [MODEL, { ...MODEL, name: 'other', slots: 0, state: 'loadable', loadMs: 5 }] },
  downloads: {
    type: 'downloads',
    downloads: [{ model: 'm', doneBytes: 1, totalBytes: 2, state: 'failed', source: SOURCE, by: 'Fay', problem: 'p' }],
  },
  backend: {
    type: 'backend',
    backend: { name: 'cpu', card: 'c', problems: [{ name: 'cuda', why: 'w', remedy: 'r' }] },
  },
  energy: { type: 'energy', energy: { parts: ['processor', 'gpu'], watts: 312.4, wattHoursToday: 1840.25 } },
  rest: { type: 'rest', rest: { reason: 'hours', until: '8:00' } },
  library: {
    type: 'library',
    library: {
      isOpen: true,
      diskFreeBytes: 2 ** 40,
      memoryBytes: 2 ** 34,
      models: [{ name: 'm', bytes: 5, source: SOURCE, isDeletable: true }],
    },
  },
  shared: {
    type: 'shared',
    models: [{ name: 'm', source: SOURCE, files: [{ name: 'm.gguf', bytes: 2 ** 33, sha256: SHA256 }] }],
  },
  'model-reply': {
    type: 'model-reply',
    request: 'r',
    found: {
      name: 'm',
      source: SOURCE,
      bytes: 5,
      memoryBytes: 6,
      license: 'mit',
      quantizations: [{ quant: 'q', name: 'm', source: SOURCE, bytes: 5 }],
    },
    hits: [{ source: SOURCE, downloads: 7, license: 'mit' }],
    problem: { code: 'failed', message: 'no', remedy: 'r' },
    freedBytes: 3,
  },
  pong: { type: 'pong' },
  drain: { type: 'drain' },
  'job-accept': { type: 'job-accept', ...AT },
  'job-refuse': { type: 'job-refuse', ...AT, reason: 'busy' },
  'job-progress': { type: 'job-progress', ...AT, phase: 'prompt', done: 1, total: 2 },
  'job-delta': {
    type: 'job-delta',
    ...AT,
    sequence: 0,
    choice: 0,
    text: 't0 ',
    tokens: 1,
    ids: [7],
    logprobs: [{ ...TOKEN, top: [TOKEN] }],
  },
  'job-calls': { type: 'job-calls', ...AT, sequence: 1, choice: 0, calls: [{ id: 'c', name: 'f', arguments: '{}' }] },
  'job-annotations': {
    type: 'job-annotations',
    ...AT,
    sequence: 2,
    choice: 0,
    annotations: [{ url: 'u', title: 't', start: 0, end: 1 }],
  },
  'job-sealed': { type: 'job-sealed', ...AT, sequence: 0, tokens: 1, box: 'AAAA' },
  'job-end': {
    type: 'job-end',
    ...AT,
    sequence: 3,
    finishes: ['stop'],
    usage: { promptTokens: 1, completionTokens: 2, cachedTokens: 1 },
  },
  'job-error': { type: 'job-error', ...AT, code: 'failed', message: 'no', retryable: true, crashed: false },
  'job-cancelled': { type: 'job-cancelled', ...AT },
  'job-hand-over': { type: 'job-hand-over', ...AT },
}
