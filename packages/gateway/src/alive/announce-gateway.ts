// Lets `hearth status` and `hearth admin` find a gateway that was started on its own. One of `npm start` is found with all the rest.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeInstance, forgetInstance, registerInstance, type Environment } from '@hearth/instances'
import type { Config } from '../config.ts'

/** systemd's name for it is the last part of the control group. */
const UNIT = /([^/]+\.service)$/m

/** Until this process ends. */
export function announceGateway({ DATABASE_URL, PUBLIC_URL }: Config, port: number, environment: Environment): void {
  const [, database] = /^embedded:(?:\/\/)?(.+)$/s.exec(DATABASE_URL) ?? []
  const unit = unitOf(environment)
  const instance = describeInstance({
    kind: 'gateway',
    folder: resolve(database ?? '.'),
    url: `http://127.0.0.1:${port}`,
    ...(database !== undefined && { database: resolve(database) }),
    ...(PUBLIC_URL && { publicUrl: PUBLIC_URL }),
    ...(unit !== undefined && { unit }),
  })
  try {
    registerInstance(instance, environment)
    process.once('exit', () => forgetInstance(instance, environment))
  } catch {
    // Where nothing can be written, as in some containers, commands have to be told where it is.
  }
}

/** systemd gives each start of a service an ID; a terminal in a session of systemd has one too, but no socket to notify. */
function unitOf({ NOTIFY_SOCKET: socket, INVOCATION_ID: start }: Environment): string | undefined {
  if (!socket || !start) return undefined
  try {
    return UNIT.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
