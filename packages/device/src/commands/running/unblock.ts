// Tells the running app to accept requests again that it rejects because they crashed an engine.

import { plural } from '@hearth/command-line/format'
import { readStatus } from '../../state/status-file.ts'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import type { Context } from '../context.ts'
import { sayNotRunning } from './not-running.ts'

export function unblock(context: Context): number {
  const { state, screen } = context
  const now = new Date()
  const status = readStatus(state.status, now)
  if (status === undefined) return sayNotRunning(context)
  const requests = status.models.reduce((sum, { blocked }) => sum + (blocked?.requests ?? 0), 0)
  // The app only looks whether the file has changed. The time is for people.
  writeJson(state.unblock, { at: now.toISOString() })
  screen.line('good', requests === 0 ? 'No request was blocked' : `${plural(requests, 'request')} accepted again`)
  return 0
}
