// Checks everything a device needs, and prints what it found and what to do about it.

import { APP_VERSION } from '../../version.ts'
import type { Context } from '../context.ts'
import { CHECKS, ENGINE_CHECKS, type Check } from './doctor-checks.ts'
import { checkAllPlans, checkPlan } from './doctor-plan.ts'

export interface DoctorOptions {
  isOnlyEngine: boolean
  /** Show plans instead: for this machine's models, or for all reference machines. */
  plan?: 'this' | 'all'
}

/** Returns 1 if something doesn't work. */
export async function doctor(options: DoctorOptions, context: Context): Promise<number> {
  const { screen } = context
  screen.line(
    'info',
    `Hearth device ${APP_VERSION} on ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  )
  let isSound = true
  for (const check of choose(options)) {
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

function choose({ isOnlyEngine, plan }: DoctorOptions): readonly Check[] {
  if (plan === 'all') return [checkAllPlans]
  if (plan === 'this') return [checkPlan]
  return isOnlyEngine ? ENGINE_CHECKS : CHECKS
}
