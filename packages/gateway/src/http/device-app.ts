// Downloads for machines that become devices: the device app that fits this gateway, its description, and its installer. Public, like the
// source code.

import type { IncomingMessage } from 'node:http'
import type { DeviceApp } from '../device-app/device-app.ts'
import { ApiError } from '../errors.ts'
import type { NodeOutlet } from './node-outlet.ts'

export interface DeviceAppContext {
  deviceApp: DeviceApp
}

const ARCHIVES = { '/device/v1/app.tgz': 'app', '/device/v1/installer.tgz': 'installer' } as const
const NOTICE_PATH = '/device/v1/app.json'

export function isDeviceAppPath(path: string): boolean {
  return path === NOTICE_PATH || Object.hasOwn(ARCHIVES, path)
}

export async function answerDeviceApp(
  request: IncomingMessage,
  path: string,
  outlet: NodeOutlet,
  { deviceApp }: DeviceAppContext,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ApiError('method_not_allowed', `Not allowed to ${request.method} on ${path}.`, null, {
      allow: 'GET, HEAD',
    })
  const handouts = await deviceApp.handouts()
  // Caches have to revalidate: the next version has the same URL.
  outlet.header('cache-control', 'no-cache')
  if (path === NOTICE_PATH) {
    const { version, app } = handouts
    return outlet.json(200, JSON.stringify({ version, sha256: app.sha256, bytes: app.content.length }))
  }
  const { content, sha256 } = handouts[ARCHIVES[path as keyof typeof ARCHIVES]]
  outlet.header('etag', `"${sha256}"`)
  if (request.headers['if-none-match'] === `"${sha256}"`) return outlet.empty(304)
  return outlet.whole(200, 'application/gzip', content)
}
