// Downloads for machines that become devices: the device app that fits this gateway, its description, and its installer. Public, like the
// source code.

import type { DeviceApp } from '../../device-app/device-app.ts'
import { allowMethods } from '../allow-methods.ts'
import type { Call, Route } from '../route.ts'

const ARCHIVES = { '/device/v1/app.tgz': 'app', '/device/v1/installer.tgz': 'installer' } as const
const ARCHIVE_PATHS = Object.keys(ARCHIVES) as (keyof typeof ARCHIVES)[]
const NOTICE_PATH = '/device/v1/app.json'

export function createDeviceAppRoute(deviceApp: DeviceApp): Route {
  return {
    kind: 'device',
    paths: [NOTICE_PATH, ...ARCHIVE_PATHS],
    has: (path) => path === NOTICE_PATH || Object.hasOwn(ARCHIVES, path),
    answer: (call) => answerDeviceApp(call, deviceApp),
  }
}

async function answerDeviceApp({ request, path, outlet }: Call, deviceApp: DeviceApp): Promise<void> {
  allowMethods(request, path, ['GET', 'HEAD'])
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
