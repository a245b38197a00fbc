// Requests to every path that is neither the API nor the console API: what devices call, what operators read, and files.

import type { Random } from '@hearth/gateway/testing'
import type { HTTP_PATHS } from '../../../packages/gateway/src/testing/bounds/doors.ts'
import type { HttpInput } from '../input.ts'
import { formatRequest, type RequestPlan } from './http-request.ts'
import { mutateJson } from './mutate-json.ts'

type Path = Exclude<keyof typeof HTTP_PATHS, '/openai/v1/*' | '/api/v1/*' | '/device/v1/link'>
interface Call {
  method: string
  paths: readonly string[]
  /** A body that is fine as it is. */
  body?: object
  /** Of a device. */
  hasCredential?: boolean
}

const SECRET = 'hearth-0123456789abcdefghijklmnopqrstuvwxyz01'
const SHA256 = '0123456789abcdef'.repeat(4)
const page = (...paths: readonly string[]): Call => ({ method: 'GET', paths })

export const DEVICE_CALLS: Record<Path, Call> = {
  '/sealed/v1/*': {
    method: 'POST',
    paths: ['/sealed/v1/chat/completions', '/sealed/v1/seal', '/sealed/v1/seal?model=%00', '/sealed/v1/x'],
    body: { header: '{"version":1}', box: 'AAAA', keys: [{ device: 'd', enc: 'A'.repeat(43), key: 'A'.repeat(64) }] },
    hasCredential: true,
  },
  '/healthz': page('/healthz'),
  '/readyz': page('/readyz'),
  '/metrics': page('/metrics'),
  '/device/v1/app.json': page('/device/v1/app.json'),
  '/device/v1/app.tgz': page('/device/v1/app.tgz'),
  '/device/v1/app.cdx.json': page('/device/v1/app.cdx.json'),
  '/device/v1/installer.tgz': page('/device/v1/installer.tgz'),
  '/seal/v1/app.json': page('/seal/v1/app.json'),
  '/seal/v1/app.tgz': page('/seal/v1/app.tgz'),
  '/seal/v1/app.cdx.json': page('/seal/v1/app.cdx.json'),
  '/seal/v1/installer.tgz': page('/seal/v1/installer.tgz'),
  '/device/v1/seal': { method: 'GET', paths: ['/device/v1/seal'], hasCredential: true },
  '/device/v1/enrol': {
    method: 'POST',
    paths: ['/device/v1/enrol'],
    body: { token: `he-${SECRET}`, name: 'studio', app: '0.1.0', machine: { cores: 8, gpu: 'g' } },
  },
  '/device/v1/authorize': {
    method: 'POST',
    paths: ['/device/v1/authorize'],
    body: { name: 'studio', app: '0.1.0', system: 'linux', machine: { cores: 8, gpu: 'g' } },
  },
  '/device/v1/token': { method: 'POST', paths: ['/device/v1/token'], body: { device_code: `hc-${SECRET}` } },
  '/device/v1/relay/models': {
    method: 'GET',
    paths: [
      '/device/v1/relay/models?name=m&source=https%3A%2F%2Fmodels.example.test%2Fm.gguf',
      '/device/v1/relay/models?name=%00',
    ],
    hasCredential: true,
  },
  '/device/v1/relay/files/*': {
    method: 'GET',
    paths: [`/device/v1/relay/files/${SHA256}`, `/device/v1/relay/files/${SHA256}?x`, '/device/v1/relay/files/0'],
    hasCredential: true,
  },
  '/device/v1/relay/pieces/*': {
    method: 'POST',
    paths: ['/device/v1/relay/pieces/0c2f4b86-9d3e-4c55-8f60-6a1f2f1f7e10', '/device/v1/relay/pieces/x'],
    body: { bytes: 'x'.repeat(5_000) },
    hasCredential: true,
  },
  '/api/openapi.json': page('/api/openapi.json'),
  '/api/auth/*': {
    method: 'POST',
    paths: [
      '/api/auth/passkey/verify-authentication',
      '/api/auth/callback/oidc',
      '/api/auth/sign-in/email',
      '/api/auth/passkey/x',
    ],
    body: { response: { id: 'i', rawId: 'i', type: 'public-key', response: { clientDataJSON: 'e30' } }, code: 'c' },
  },
  '/*': page('/', '/keys', '/assets/', '/assets/index.js', '/favicon.ico', '/..%2f..%2fpackage.json', '/api/nothing'),
}

export function createDeviceInput(random: Random): HttpInput {
  const { method, paths, body, hasCredential = false } = random.pick(Object.values(DEVICE_CALLS))
  const headers: [string, string][] = []
  if (hasCredential && random.chance(0.9)) headers.push(['authorization', 'Bearer {{CREDENTIAL}}'])
  if (hasCredential && random.chance(0.3))
    headers.push(['range', `bytes=${random.pick(['0', '-1', '9'.repeat(15), 'x'])}-`])
  const plan: RequestPlan = { method, path: random.pick(paths), headers }
  if (body === undefined) return formatRequest(plan, random)
  headers.push(['content-type', 'application/json'])
  const text = JSON.stringify(random.chance(0.7) ? mutateJson(body, random, random.between(1, 2)) : body)
  return formatRequest({ ...plan, body: text }, random)
}
