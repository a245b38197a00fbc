// Checks everything a device needs, and prints what it found and what to do about it.

import { APP_VERSION } from '../version.ts'
import type { Context } from './context.ts'
import { CHECKS, ENGINE_CHECKS } from './doctor-checks.ts'

/** Returns 1 if something doesn't work. */
export async function doctor({ isOnlyEngine }: { isOnlyEngine: boolean }, context: Context): Promise<number> {
  const { screen } = context
  screen.line(
    'info',
    `Hearth device ${APP_VERSION} on ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  )
  let isSound = true
  for (const check of isOnlyEngine ? ENGINE_CHECKS : CHECKS) {
    screen.live('  Checking…')
    const lines = await check(context)
    screen.live(undefined)
    for (const { level, text } of lines) {
      screen.line(level, text)
      if (level === 'bad') isSound = false
    }
  }
  return isSound ? 0 : 1
}
