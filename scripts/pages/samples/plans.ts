// The plans for an 8B model: on a machine with a large graphics card, and on one that is too small.

import { describePlan, explainPlan, explainRejection } from '../../../packages/device/src/engines/llama/plan/explain.ts'
import { planModel } from '../../../packages/device/src/engines/llama/plan/plan-model.ts'
import { describeMachine } from '../../../packages/device/src/engines/llama/plan/plan-table.ts'
import { REFERENCE_MACHINES } from '../../../packages/device/src/engines/llama/plan/reference-machines.ts'
import { REFERENCE_MODELS } from '../../../packages/device/src/engines/llama/plan/reference-models.ts'
import { show } from './device-terminal.ts'

const NAME = 'llama3.1:8b'
const { shape } = named(REFERENCE_MODELS, 'Llama 3.1 8B Q4_K_M')

export function fittingPlan(): string {
  const { machine } = named(REFERENCE_MACHINES, '24 GiB card, 128 GB of RAM')
  const plan = planModel(shape, machine)
  if (!plan.fits) throw new Error('The sample model has to fit on the sample machine')
  const lines = show([
    { level: 'info', text: `This machine: ${describeMachine(machine)}` },
    { level: 'good', text: `${NAME}: ${describePlan(shape, plan)}` },
    { level: 'info', text: `  ${explainPlan(shape, machine, plan.arrangement, {})}` },
  ])
  return `$ hearth-device doctor --plan\n${lines}`
}

export function tooLargePlan(): string {
  const { machine } = named(REFERENCE_MACHINES, '8 GB laptop with a full browser')
  const plan = planModel(shape, machine)
  if (plan.fits) throw new Error('The sample model must not fit on the sample machine')
  return show([{ level: 'bad', text: `${NAME}: ${explainRejection(machine, plan, {})}` }])
}

function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name)
  if (!found) throw new Error(`Nothing is called "${name}"`)
  return found
}
