// Checks everything a device needs, and prints what it found and what to do about it.

import { APP_VERSION } from '../../version.ts'
import type { Context } from '../context.ts'
import { CHECKS, ENGINE_CHECKS, type Check } from './doctor-checks.ts'
import { checkAllPlans, checkPlan } from './doctor-plan.ts'
import type { Line } from '../../terminal/line.ts'

export interface DoctorOptions {
  isOnlyEngine: boolean
  isJson: boolean
  /** Show plans instead: for this machine's models, or for all reference machines. */
  plan?: 'this' | 'all'
}

/** Returns 1 if something doesn't work. */
export async function doctor(options: DoctorOptions, context: Context): Promise<number> {
  const { screen, world } = context
  // JSON is printed once, at the end.
  const show = options.isJson ? { line: () => {}, live: () => {} } : screen
  show.line(
    'info',
    `Hearth device ${APP_VERSION} on ${process.platform} ${process.arch}, Node ${process.versions.node}`,
  )
  const findings: Line[] = []
  for (const check of choose(options)) {
    show.live('  Checking…')
    const lines = await check(context)
    show.live(undefined)
    for (const { level, text } of lines) show.line(level, text)
    findings.push(...lines)
  }
  const isSound = findings.every(({ level }) => level !== 'bad')
  if (options.isJson) world.stdout.write(`${JSON.stringify({ isSound, app: APP_VERSION, findings })}\n`)
  return isSound ? 0 : 1
}

function choose({ isOnlyEngine, plan }: DoctorOptions): readonly Check[] {
  if (plan === 'all') return [checkAllPlans]
  if (plan === 'this') return [checkPlan]
  return isOnlyEngine ? ENGINE_CHECKS : CHECKS
}
