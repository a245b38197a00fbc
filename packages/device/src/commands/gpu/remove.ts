// `gpu remove`: deletes what was built here.

import { CommandError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'
import { listBuilt, removeBuilt } from '../../gpu/built/built-backend.ts'
import { readStatus } from '../../state/status-file.ts'
import type { Context } from '../context.ts'

export function removeGpu({ state, screen }: Context): void {
  const all = listBuilt(state.gpu)
  if (all.length === 0) return screen.line('info', 'Nothing was built here')
  // Its engines open the files again when they start.
  if (readStatus(state.status, new Date())?.backend?.rung === 'cuda-built')
    throw new CommandError('The running app uses the back end that was built here', 'stop the app, then remove it')
  for (const built of all) removeBuilt(built)
  const bytes = all.reduce((sum, built) => sum + built.bytes, 0)
  screen.line('good', `Removed the back end that was built here, which frees ${formatBytes(bytes)}`)
}
