// `hearth-device stop`: stops the running app as Ctrl-C in its terminal would.

import { existsSync } from 'node:fs'
import {
  isRunning,
  listInstances,
  readTrustedClaim,
  signalInstance,
  untilEnded,
  type Instance,
} from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import { runCommand } from '../system/run-command.ts'
import type { Context } from './context.ts'
import { sayNotRunning } from './running.ts'
import { describeService } from './service.ts'

/** On top of the time that running jobs may take. */
const SPARE_MS = 60_000

export async function stop(context: Context): Promise<number> {
  const claim = readTrustedClaim(context.state.path)
  if (claim === undefined) return sayNotRunning(context)
  rejectPartOfHearth(claim)
  context.screen.line('info', 'Stopping. Requests that are being answered end first.')
  const isService = await stopRunning(claim, context)
  context.screen.line(
    'good',
    isService
      ? 'Stopped. The service starts it again at your next login → to prevent that: hearth-device service uninstall'
      : `Stopped → to start it again: ${context.startCommand}`,
  )
  return 0
}

/** Resolves once it has ended. A service manager would start it again, so it has to stop it itself; returns whether there is one. */
export async function stopRunning(claim: Instance, context: Context): Promise<boolean> {
  const service = describeService(context)
  const isService = service !== undefined && existsSync(service.path)
  const timeoutMs = context.settings.drainSeconds * 1_000 + SPARE_MS
  if (isService) for (const [command = '', ...args] of service.stop) await runCommand(command, args, { timeoutMs })
  if (isRunning(claim)) signalInstance(claim, 'SIGTERM')
  await untilEnded(claim)
  return isService
}

/** Hearth would start it again. */
function rejectPartOfHearth({ folder }: Instance): void {
  const whole = listInstances(process.env).find(
    (one) => one.kind === 'hearth' && one.deviceHome === folder && isRunning(one),
  )
  if (whole !== undefined)
    throw new CommandError(
      `This device is part of the Hearth at ${whole.url}`,
      'to stop all of it: hearth stop. To only stop serving models: hearth device pause',
    )
}
