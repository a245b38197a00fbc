// Tells a running instance to stop, or to start anew.

import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '@hearth/command-line/errors'
import type { Instance } from './instance.ts'
import { isRunning } from './process-identity.ts'

const NAMES: Readonly<Record<Instance['kind'], string>> = {
  hearth: 'Hearth',
  gateway: 'gateway',
  device: 'device app',
}
const LOOK_MS = 100

/** One that has just ended is left alone. Throws if it belongs to another user. */
export function signalInstance({ kind, pid, folder }: Instance, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return
    if (code !== 'EPERM') throw error
    throw new CommandError(
      `The ${NAMES[kind]} in ${folder} (process ID ${pid}) belongs to another user`,
      'run this command as that user',
    )
  }
}

/** As long as that takes: requests that are being answered end first. */
export async function untilEnded(instance: Instance): Promise<void> {
  while (isRunning(instance)) await sleep(LOOK_MS)
}
