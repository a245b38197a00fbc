// Any frame that either end may send, for property tests. The compiler checks that the two tables hold every frame type.

import fc, { type Arbitrary } from 'fast-check'
import type { TokenLogprob, Usage } from '../job/chat-event.ts'
import type { ToolCall } from '../job/chat-job.ts'
import { FEATURES } from '../features.ts'
import type { DeviceModel } from '../device/device-state.ts'
import type { DeviceFrame, GatewayFrame } from '../frames/frames.ts'
import { DOWNLOAD_STATES } from '../device/library.ts'
import { MAX_JOB_PARTS, MAX_WATT_HOURS, MAX_WATTS } from '../limits.ts'
import { count, decimal, keyOf, record, text, tokenId } from './arbitrary-fields.ts'
import { jobRequest } from './arbitrary-job.ts'

type ByType<Frame extends { type: string }> = { [Type in Frame['type']]: Arbitrary<Extract<Frame, { type: Type }>> }

const attempt = { job: text, attempt: count }
const place = { ...attempt, sequence: count, choice: fc.nat({ max: 7 }) }

const modelRequest = { request: text, by: text }

const digest = fc.stringMatching(/^[0-9a-f]{64}$/)

const token = { token: text, logprob: decimal, bytes: fc.array(fc.nat({ max: 255 }), { maxLength: 8 }) }
const logprob: Arbitrary<TokenLogprob> = record({ ...token, top: fc.array(record(token), { maxLength: 3 }) })
const call: Arbitrary<ToolCall> = record({ id: text, name: text, arguments: text })
const citation = record({ url: text, title: text, start: count, end: count })
const tokens = fc.nat({ max: 1_000_000_000 })
const usage: Arbitrary<Usage> = record(
  { promptTokens: tokens, completionTokens: tokens },
  { cachedTokens: tokens, ownCachedTokens: tokens, reasoningTokens: tokens },
)
const model: Arbitrary<DeviceModel> = record(
  { name: text, contextLength: count, slots: fc.nat({ max: 64 }), features: fc.subarray([...FEATURES]) },
  {
    digest: text,
    sizing: record({ trainedLength: count, cacheType: text, gpuLayers: count, layers: count, why: text }),
    state: fc.constantFrom('loaded', 'loading', 'loadable'),
    loadMs: fc.nat({ max: 3_600_000 }),
    blockedRequests: fc.nat({ max: 1_000 }),
  },
)
const models = fc.array(model, { maxLength: 3 })

export const deviceFrames: ByType<DeviceFrame> = {
  hello: record(
    {
      type: fc.constant('hello'),
      protocols: fc.array(count, { maxLength: 4 }),
      app: text,
      boot: text,
      engine: text,
      models,
    },
    {
      machine: record(
        {},
        {
          model: text,
          system: text,
          processor: text,
          cores: count,
          memoryBytes: count,
          gpu: text,
          gpuMemoryBytes: count,
        },
      ),
      sealKey: keyOf(32),
    },
  ),
  models: record({ type: fc.constant('models'), models }),
  downloads: record({
    type: fc.constant('downloads'),
    downloads: fc.array(
      record(
        { model: text, doneBytes: count },
        {
          totalBytes: count,
          state: fc.constantFrom(...DOWNLOAD_STATES),
          bytesPerSecond: count,
          source: text,
          by: text,
          problem: text,
        },
      ),
      { maxLength: 3 },
    ),
  }),
  backend: record({
    type: fc.constant('backend'),
    backend: record(
      { name: text, problems: fc.array(record({ name: text, why: text, remedy: text }), { maxLength: 3 }) },
      { card: text, driver: text },
    ),
  }),
  rest: record(
    { type: fc.constant('rest') },
    { rest: record({ reason: fc.constantFrom('paused', 'hours', 'battery', 'sleep', 'other') }, { until: text }) },
  ),
  energy: record(
    { type: fc.constant('energy') },
    {
      energy: record({
        parts: fc.subarray(['processor', 'gpu'] as const).map((parts) => [...parts]),
        watts: fc.double({ min: 0, max: MAX_WATTS, noNaN: true }),
        wattHoursToday: fc.double({ min: 0, max: MAX_WATT_HOURS, noNaN: true }),
      }),
    },
  ),
  shared: record({
    type: fc.constant('shared'),
    models: fc.array(
      record(
        { name: text, files: fc.array(record({ name: text, bytes: count, sha256: digest }), { maxLength: 2 }) },
        { source: text, quant: text },
      ),
      { maxLength: 2 },
    ),
  }),
  library: record({
    type: fc.constant('library'),
    library: record(
      {
        isOpen: fc.boolean(),
        diskFreeBytes: count,
        memoryBytes: count,
        models: fc.array(record({ name: text, bytes: count }, { source: text, isDeletable: fc.boolean() }), {
          maxLength: 3,
        }),
      },
      { why: text, takesTemplates: fc.boolean() },
    ),
  }),
  'model-reply': record(
    { type: fc.constant('model-reply'), request: text },
    {
      problem: record({ code: fc.constantFrom('not-allowed', 'no-room', 'failed'), message: text }, { remedy: text }),
      found: record(
        { name: text, source: text, bytes: count, memoryBytes: count },
        {
          license: text,
          quantizations: fc.array(record({ quant: text, name: text, source: text, bytes: count }), { maxLength: 3 }),
        },
      ),
      hits: fc.array(record({ source: text, downloads: count }, { license: text }), { maxLength: 3 }),
      freedBytes: count,
    },
  ),
  pong: record({ type: fc.constant('pong') }),
  drain: record({ type: fc.constant('drain') }),
  'job-accept': record({ type: fc.constant('job-accept'), ...attempt }),
  'job-hand-over': record({ type: fc.constant('job-hand-over'), ...attempt }),
  'job-refuse': record({
    type: fc.constant('job-refuse'),
    ...attempt,
    reason: fc.constantFrom('busy', 'not-loaded', 'draining', 'unsupported', 'wrong-organization'),
  }),
  'job-progress': record(
    {
      type: fc.constant('job-progress'),
      ...attempt,
      phase: fc.constantFrom('queued', 'loading', 'prompt', 'reasoning', 'searching'),
    },
    { done: count, total: count },
  ),
  'job-delta': record(
    { type: fc.constant('job-delta'), ...place, text },
    {
      tokens,
      logprobs: fc.array(logprob, { maxLength: 3 }),
      ids: fc.oneof(tokenId, fc.array(tokenId, { maxLength: 3 })),
    },
  ),
  'job-calls': record({ type: fc.constant('job-calls'), ...place, calls: fc.array(call, { maxLength: 3 }) }),
  'job-annotations': record({
    type: fc.constant('job-annotations'),
    ...place,
    annotations: fc.array(citation, { maxLength: 3 }),
  }),
  'job-sealed': record({ type: fc.constant('job-sealed'), ...attempt, sequence: count, box: text }, { tokens }),
  'job-end': record(
    {
      type: fc.constant('job-end'),
      ...attempt,
      sequence: count,
      finishes: fc.array(fc.constantFrom('stop', 'length', 'tool_calls'), { maxLength: 8 }),
    },
    { usage, box: text },
  ),
  'job-error': record(
    {
      type: fc.constant('job-error'),
      ...attempt,
      code: fc.constantFrom(
        'context_length_exceeded',
        'invalid_json_schema',
        'invalid_function_parameters',
        'seal_rejected',
        'failed',
      ),
      message: text,
      retryable: fc.boolean(),
      crashed: fc.boolean(),
    },
    { param: text, box: text },
  ),
  'job-cancelled': record({ type: fc.constant('job-cancelled'), ...attempt }),
}

const client = record(
  {},
  {
    requestId: fc.stringMatching(/^[A-Za-z0-9][\w.:/+=-]{0,127}$/),
    traceparent: fc.constant('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  },
)

export const gatewayFrames: ByType<GatewayFrame> = {
  welcome: record({
    type: fc.constant('welcome'),
    protocol: count,
    device: text,
    organization: text,
    pingBusyMs: count,
    pingIdleMs: count,
  }),
  ping: record({ type: fc.constant('ping') }),
  'job-start': fc.oneof(
    record({ type: fc.constant('job-start'), ...attempt, organization: text, request: jobRequest }, { client }),
    record(
      {
        type: fc.constant('job-start'),
        ...attempt,
        organization: text,
        parts: fc.integer({ min: 1, max: MAX_JOB_PARTS }),
      },
      { client },
    ),
  ),
  'job-part': record({ type: fc.constant('job-part'), ...attempt, index: count, text }),
  'job-cancel': record({
    type: fc.constant('job-cancel'),
    ...attempt,
    reason: fc.constantFrom('client-gone', 'client-stalled', 'timed-out', 'revoked', 'shutdown', 'superseded'),
  }),
  'job-pause': record({ type: fc.constant('job-pause'), ...attempt }),
  'job-resume': record({ type: fc.constant('job-resume'), ...attempt }),
  restarting: record({ type: fc.constant('restarting'), reconnectInMs: count }),
  notice: record({ type: fc.constant('notice'), text }),
  'piece-wanted': record({
    type: fc.constant('piece-wanted'),
    transfer: text,
    sha256: digest,
    offset: count,
    bytes: count,
  }),
  defaults: record({
    type: fc.constant('defaults'),
    model: text,
    defaults: record(
      {},
      {
        temperature: decimal,
        topP: decimal,
        maxTokens: count,
        frequencyPenalty: decimal,
        presencePenalty: decimal,
        topK: count,
        minP: decimal,
        repeatPenalty: decimal,
        systemMessage: text,
        chatTemplate: text,
      },
    ),
  }),
  'model-look-up': record({ type: fc.constant('model-look-up'), ...modelRequest, source: text }),
  'model-fetch': record({ type: fc.constant('model-fetch'), ...modelRequest, source: text }),
  'model-pause': record({ type: fc.constant('model-pause'), ...modelRequest, model: text }),
  'model-cancel': record({ type: fc.constant('model-cancel'), ...modelRequest, model: text }),
  'model-remove': record({ type: fc.constant('model-remove'), ...modelRequest, model: text }),
  'model-unblock': record({ type: fc.constant('model-unblock'), ...modelRequest, model: text }),
}

export const deviceFrame: Arbitrary<DeviceFrame> = fc.oneof(...Object.values(deviceFrames))
export const gatewayFrame: Arbitrary<GatewayFrame> = fc.oneof(...Object.values(gatewayFrames))
