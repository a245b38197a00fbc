// Makes sure that only one Hearth runs in a data folder, and lets other commands find it.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  claimFolder,
  describeInstance,
  readClaim,
  registerInstance,
  releaseFolder,
  renewClaim,
  type Instance,
} from '@hearth/instances'
import { OWN_PROGRAM } from '../installed/installed-command.ts'
import type { Options } from './options.ts'
import { hasOwnDatabase } from './shared-services.ts'

let claimed: Instance | undefined

/** Before anything is created or started. */
export function rejectSecond({ data }: Options): void {
  const holder = readClaim(data)
  if (holder !== undefined) throw alreadyRunning(holder)
}

/** Until this process ends. */
export function claimData(options: Options, environment: NodeJS.ProcessEnv, tell: (text: string) => void): void {
  mkdirSync(options.data, { recursive: true, mode: 0o700 })
  const instance = describeInstance(describe(options, environment))
  const holder = claimFolder(instance)
  if (holder !== undefined) throw alreadyRunning(holder)
  claimed = instance
  process.on('exit', releaseData)
  try {
    registerInstance(instance, environment)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    tell(`Other commands will not find this Hearth without --data: ${why}`)
  }
}

/** Tells `hearth restart` how it went. */
export function noteRestart(problem: string | undefined): void {
  if (claimed === undefined) return
  const { restartProblem: _, ...instance } = claimed
  const startedAt = new Date().toISOString()
  claimed = { ...instance, startedAt, ...(problem !== undefined && { restartProblem: problem }) }
  renewClaim(claimed)
}

/** For another start in its place. */
export function releaseData(): void {
  if (claimed !== undefined) releaseFolder(claimed)
}

function describe({ data, port, withDevice }: Options, environment: NodeJS.ProcessEnv) {
  const { PUBLIC_URL: publicUrl } = environment
  return {
    kind: 'hearth' as const,
    folder: data,
    program: OWN_PROGRAM,
    url: `http://127.0.0.1:${port}`,
    ...(publicUrl && { publicUrl: publicUrl.replace(/\/+$/, '') }),
    ...(hasOwnDatabase(environment) && { database: join(data, 'gateway') }),
    ...(withDevice && { deviceHome: join(data, 'device') }),
  }
}

function alreadyRunning({ url, pid, folder }: Instance): Error {
  return new Error(`Hearth already runs here: ${url} (process ID ${pid})

  Open its console:      hearth open --data ${folder}
  Stop it:               hearth stop --data ${folder}
  Start another beside:  hearth start --data ${folder}-2 --port ${Number(new URL(url).port) + 1}`)
}
