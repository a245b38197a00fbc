// A frame of every type that a gateway can send to a device. The compiler demands new ones.

import type { GatewayFrame } from '@hearth/protocol'

const AT = { job: 'j', attempt: 1 }
const ASK = { request: 'r', by: 'Fay' }

type Samples = { [Type in GatewayFrame['type']]: Extract<GatewayFrame, { type: Type }> }

export const GATEWAY_FRAME_SAMPLES: Samples = {
  welcome: {
    type: 'welcome',
    protocol: 1,
    device: 'device-1',
    organization: 'organization-1',
    pingBusyMs: 5_000,
    pingIdleMs: 15_000,
  },
  ping: { type: 'ping' },
  'job-start': {
    type: 'job-start',
    ...AT,
    organization: 'organization-1',
    client: { requestId: 'c', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
    request: { model: 'echo', messages: [{ role: 'user', content: 'one two' }], n: 2 },
  },
  'job-part': { type: 'job-part', ...AT, index: 0, text: '{"model":"echo","messages":[]}' },
  'job-cancel': { type: 'job-cancel', ...AT, reason: 'client-gone' },
  'job-pause': { type: 'job-pause', ...AT },
  'job-resume': { type: 'job-resume', ...AT },
  restarting: { type: 'restarting', reconnectInMs: 5 },
  notice: { type: 'notice', text: 'hello' },
  defaults: {
    type: 'defaults',
    model: 'echo',
    defaults: { temperature: 0.5, systemMessage: 's', chatTemplate: '{{ messages }}' },
  },
  'model-look-up': { type: 'model-look-up', ...ASK, source: 'https://127.0.0.1/m.gguf' },
  'model-fetch': { type: 'model-fetch', ...ASK, source: 'm' },
  'model-pause': { type: 'model-pause', ...ASK, model: 'm' },
  'model-cancel': { type: 'model-cancel', ...ASK, model: 'm' },
  'model-remove': { type: 'model-remove', ...ASK, model: 'm' },
  'model-unblock': { type: 'model-unblock', ...ASK, model: 'm' },
  'piece-wanted': { type: 'piece-wanted', transfer: 't', sha256: '0'.repeat(64), offset: 0, bytes: 5 },
}
