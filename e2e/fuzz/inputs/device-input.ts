// Requests to what devices call before they have a link: enrolment, codes and downloads.

import type { Random } from '@hearth/gateway/testing'
import type { HttpInput } from '../input.ts'
import { formatRequest } from './http-request.ts'
import { mutateJson } from './mutate-json.ts'

const SECRET = 'hearth-0123456789abcdefghijklmnopqrstuvwxyz01'
const CALLS = [
  { path: '/device/v1/enrol', body: { token: `he-${SECRET}`, name: 'studio' } },
  { path: '/device/v1/authorize', body: { name: 'studio', app: '0.1.0', system: 'linux' } },
  { path: '/device/v1/token', body: { device_code: `hc-${SECRET}` } },
]
const PAGES = [
  '/device/v1/app.json',
  '/device/v1/app.tgz',
  '/device/v1/installer.tgz',
  '/metrics',
  '/healthz',
  '/readyz',
]
const FILES = [
  '/',
  '/keys',
  '/assets/',
  '/assets/index.js',
  '/favicon.ico',
  '/..%2f..%2fpackage.json',
  '/api/auth/passkey/x',
]

export function createDeviceInput(random: Random): HttpInput {
  if (random.chance(0.3))
    return formatRequest({ method: 'GET', path: random.pick([...PAGES, ...FILES]), headers: [] }, random)
  const { path, body } = random.pick(CALLS)
  const text = JSON.stringify(random.chance(0.7) ? mutateJson(body, random, random.between(1, 2)) : body)
  return formatRequest({ method: 'POST', path, headers: [['content-type', 'application/json']], body: text }, random)
}
