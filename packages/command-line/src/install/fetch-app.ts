// Downloads a program from the gateway, and accepts it only if the checksum matches what the gateway announced.

import { createHash } from 'node:crypto'
import { describeError, CommandError } from '../errors.ts'
import { under } from '../gateway/gateway-address.ts'
import { readNotice, type AppNotice } from './app-notice.ts'
import type { GetAnswer, GetOptions } from './http-get.ts'
import type { Program } from './program.ts'

export type Get = (url: URL, options: Omit<GetOptions, 'environment'>) => Promise<GetAnswer>

const NOTICE = { maxBytes: 64 * 1024, timeoutMs: 30_000 }
/** Generous, because the first request after a gateway restart waits until the app is packed. */
const ARCHIVE_MS = 120_000

export async function fetchNotice(program: Program, gateway: URL, get: Get): Promise<AppNotice> {
  const { body } = await getOk(program, gateway, 'app.json', get, NOTICE)
  return readNotice(body.toString(), gateway, program.title)
}

export async function fetchArchive(program: Program, gateway: URL, notice: AppNotice, get: Get): Promise<Buffer> {
  const limits = { maxBytes: notice.bytes + 1, timeoutMs: ARCHIVE_MS }
  const { body } = await getOk(program, gateway, 'app.tgz', get, limits)
  const sha256 = createHash('sha256').update(body).digest('hex')
  if (sha256 === notice.sha256) return body
  throw new CommandError(
    `Wrong checksum for the ${program.title} from ${gateway.href}: got ${sha256}, expected ${notice.sha256}`,
    'try again; if this keeps happening, something on the network changes your downloads',
  )
}

async function getOk(
  { title, path }: Program,
  gateway: URL,
  file: string,
  get: Get,
  limits: { maxBytes: number; timeoutMs: number },
): Promise<GetAnswer> {
  const answer = await get(under(gateway, `${path}/${file}`), limits).catch((error: unknown) => {
    throw new CommandError(
      `Can't reach the gateway at ${gateway.href}: ${describeError(error)}`,
      error instanceof CommandError ? error.advice : undefined,
    )
  })
  if (answer.status === 200) return answer
  throw new CommandError(
    `${gateway.href} doesn't offer the ${title} (status ${answer.status} for ${path}/${file})`,
    "check the address; if it's right, ask your administrator to update the gateway",
  )
}
