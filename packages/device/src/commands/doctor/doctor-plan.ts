// `doctor --plan`: what each model gets on this machine and why, or the plans for machines of every size.

import { wishesFor } from '../../app/job-path/engine-for.ts'
import { describePlan, explainPlan, explainRejection } from '../../engines/llama/plan/explain.ts'
import { afterPlan, type MachineMemory } from '../../engines/llama/plan/machine-memory.ts'
import { planModel } from '../../engines/llama/plan/plan-model.ts'
import { describeMachine, planTable } from '../../engines/llama/plan/plan-table.ts'
import { roomForLater } from '../../engines/llama/plan/room-for-later.ts'
import { runSurvey } from '../../engines/llama/process/run-survey.ts'
import { describeError } from '@hearth/command-line/errors'
import { readModelShape } from '../../models/gguf/model-shape.ts'
import { loadRegistry, type ModelEntry } from '../../models/registry/registry.ts'
import type { Settings } from '../../settings/settings.ts'
import { readStatus } from '../../state/status-file.ts'
import type { Context } from '../context.ts'
import { openDoctorLadder } from './doctor-engine.ts'
import { bad, good, info, warn, type Line } from '../../terminal/line.ts'

const SURVEY_MS = 60_000

export function checkAllPlans(): Line[] {
  return planTable().trimEnd().split('\n').map(info)
}

export async function checkPlan(context: Context): Promise<Line[]> {
  try {
    const backend = await (await openDoctorLadder(context)).use()
    const machine = await runSurvey(backend, AbortSignal.timeout(SURVEY_MS))
    return describePlans(loadRegistry(context.state.registry), machine, context)
  } catch (error) {
    return [bad(`Plan: ${describeError(error)}`)]
  }
}

export function describePlans(
  entries: readonly ModelEntry[],
  machine: MachineMemory,
  { state, settings }: PlanContext,
): Line[] {
  const isRunning = readStatus(state.status, new Date()) !== undefined
  const lines: Line[] = [
    info(`This machine: ${describeMachine(machine)}`),
    ...(isRunning ? [info('The app is running: this is what its models leave')] : []),
    ...(entries.length === 0 ? [warn('No models yet → hearth-device models pull starter')] : []),
  ]
  let left = machine
  for (const [index, entry] of entries.entries()) {
    const keptForLater = roomForLater(entries.slice(index + 1).map(({ bytes }) => bytes))
    const planned = describeEntry(entry, { ...left, keptForLater }, settings)
    lines.push(...planned.lines)
    left = planned.left
  }
  return lines
}

type PlanContext = Pick<Context, 'state' | 'settings'>

function describeEntry(
  entry: ModelEntry,
  machine: MachineMemory,
  settings: Settings,
): { lines: Line[]; left: MachineMemory } {
  try {
    const [shape, wishes] = [readModelShape(entry.path), wishesFor(entry, settings)]
    const plan = planModel(shape, machine, wishes)
    if (!plan.fits)
      return {
        lines: [bad(`${entry.name}: ${explainRejection(machine, plan, wishes)}`)],
        left: machine,
      }
    const why = explainPlan(shape, machine, plan.arrangement, wishes)
    return {
      lines: [good(`${entry.name}: ${describePlan(shape, plan)}`), info(`  ${why}`)],
      left: afterPlan(machine, plan.need),
    }
  } catch (error) {
    return { lines: [bad(`${entry.name}: ${describeError(error)}`)], left: machine }
  }
}
