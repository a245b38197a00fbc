// Prints the status of the running device, read from the file that it keeps up to date.

import { readStatus } from '../state/status-file.ts'
import { describeStatus } from '../terminal/describe-status.ts'
import { fingerprintOf, readSealText } from '@hearth/sealing'
import { findPinned } from '../state/pinned-seal.ts'
import type { Context } from './context.ts'
import { NOT_RUNNING, sayNotRunning } from './running/not-running.ts'

export function status({ isJson }: { isJson: boolean }, context: Context): number {
  const { state, world, screen } = context
  const now = new Date()
  const present = readStatus(state.status, now)
  if (isJson) {
    world.stdout.write(
      `${JSON.stringify({ isRunning: present !== undefined, pinnedSeal: findPinned(state.pinnedSeal), ...present })}\n`,
    )
    return present === undefined ? NOT_RUNNING : 0
  }
  if (present === undefined) return sayNotRunning(context)
  for (const { level, text } of describeStatus(present, now)) screen.line(level, text)
  screen.line('info', describePin(findPinned(state.pinnedSeal)))
  return 0
}

function describePin(seal: string | undefined): string {
  const key = seal === undefined ? undefined : readSealText(seal)?.publicKey
  if (key === undefined) return 'No seal is pinned: updates come from the gateway (see hearth-device seal)'
  return `Installs only code that the seal of your organization names: ${seal}, ${fingerprintOf(key).words}`
}
