// `hearth stop` and `hearth restart`, which tell the running Hearth to do what a person at its terminal would.

import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, readClaim, signalInstance, untilEnded, type Instance } from '@hearth/instances'
import { REPLACE_SIGNAL, RESTART_SIGNAL } from '../supervise/restart-signal.ts'
import { findInstance, startLine } from './find-instance.ts'
import { describeRest, NOT_RUNNING } from './not-running.ts'
import { sayTo, type Say } from './say.ts'

const LOOK_MS = 100

export async function stop(data: string | undefined, say: Say): Promise<number> {
  const instance = findRunning(data)
  if (instance === undefined) return NOT_RUNNING
  signalInstance(instance, 'SIGTERM')
  say(`Stopping the Hearth at ${instance.url}. Requests that are being answered end first.`)
  await untilEnded(instance)
  say(`Stopped. Your data stays in ${instance.folder}. To start it again: ${startLine(instance)}`)
  return 0
}

export async function restart(data: string | undefined, isEverything: boolean, say: Say): Promise<number> {
  const signal = isEverything ? RESTART_SIGNAL : REPLACE_SIGNAL
  if (signal === undefined)
    throw new Error('Windows has no signal for this. Press Ctrl-C in the terminal of Hearth, and start it again')
  const instance = findRunning(data)
  if (instance === undefined) return NOT_RUNNING
  signalInstance(instance, signal)
  say(
    isEverything
      ? `Restarting the Hearth at ${instance.url} in its place and with its options. It does not answer meanwhile.`
      : `Restarting the Hearth at ${instance.url}. New processes answer; this returns when the old ones have finished their requests.`,
  )
  while (!(await isBack(instance))) {
    if (!isRunning(instance)) throw new Error('Hearth stopped and did not come back. To see why: hearth logs')
    await sleep(LOOK_MS)
  }
  const problem = readClaim(instance.folder)?.restartProblem
  if (problem !== undefined) throw new Error(`Hearth runs on, but not with new processes: ${problem}`)
  say('Its new gateway answers. For its models: hearth status')
  return 0
}

function findRunning(data: string | undefined): Instance | undefined {
  const found = findInstance({ data, environment: process.env, isChange: true })
  if (found?.isRunning === true) {
    rejectOwnGateway(found.instance)
    return found.instance
  }
  sayTo(process.stderr)(describeRest(found?.instance, data))
  return undefined
}

/** What it was started with would start it again, or isn't there to take the signal for a restart. */
function rejectOwnGateway({ kind, url, pid, unit }: Instance): void {
  if (kind !== 'gateway') return
  const advice = unit === undefined ? 'Stop it where you started it' : `To stop it: systemctl stop ${unit}`
  throw new Error(`The gateway at ${url} (process ID ${pid}) was started on its own, not with hearth start. ${advice}`)
}

/** The same process has claimed the folder anew, and its gateway answers. */
async function isBack({ folder, startedAt, url }: Instance): Promise<boolean> {
  const claim = readClaim(folder)
  if (claim === undefined || claim.startedAt === startedAt) return false
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
