// Fetches what the gateway hands out, and takes it only when it is exactly what the gateway announced.

import { createHash } from 'node:crypto'
import { describeError, DeviceError } from '../errors.ts'
import { under } from '../link/gateway-address.ts'
import { readNotice, type AppNotice } from './app-notice.ts'
import type { GetAnswer, GetOptions } from './http-get.ts'

export type Get = (url: URL, options: Omit<GetOptions, 'environment'>) => Promise<GetAnswer>

const NOTICE = { maxBytes: 64 * 1024, timeoutMs: 30_000 }
/** The first machine that asks after a start of the gateway waits until the app is packed. */
const ARCHIVE_MS = 120_000

export async function fetchNotice(gateway: URL, get: Get): Promise<AppNotice> {
  const { body } = await getOk(gateway, '/device/v1/app.json', get, NOTICE)
  return readNotice(body.toString(), gateway)
}

export async function fetchArchive(gateway: URL, notice: AppNotice, get: Get): Promise<Buffer> {
  const limits = { maxBytes: notice.bytes + 1, timeoutMs: ARCHIVE_MS }
  const { body } = await getOk(gateway, '/device/v1/app.tgz', get, limits)
  const sha256 = createHash('sha256').update(body).digest('hex')
  if (sha256 === notice.sha256) return body
  throw new DeviceError(
    `What came from ${gateway.href} is not the device app it announced: the checksum is ${sha256}, expected ${notice.sha256}`,
    'try again; if it stays so, something on the way changes downloads',
  )
}

async function getOk(
  gateway: URL,
  path: string,
  get: Get,
  limits: { maxBytes: number; timeoutMs: number },
): Promise<GetAnswer> {
  const answer = await get(under(gateway, path), limits).catch((error: unknown) => {
    throw new DeviceError(
      `Cannot reach the gateway ${gateway.href}: ${describeError(error)}`,
      'check the address and the network (HTTPS_PROXY is honoured)',
    )
  })
  if (answer.status === 200) return answer
  throw new DeviceError(
    `${gateway.href} does not hand out a device app (status ${answer.status} for ${path})`,
    'check the address; whoever runs the gateway may have to update it',
  )
}
