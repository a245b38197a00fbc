// The plans of all reference models on all reference machines, and two models after each other on one of them, as text.

import { formatMemory, plural } from '@hearth/command-line/format'
import { describePlan, explainRejection } from './explain.ts'
import { afterPlan, type MachineMemory } from './machine-memory.ts'
import { weightBytes } from './memory-need.ts'
import { planModel } from './plan-model.ts'
import { roomForLater } from './room-for-later.ts'
import { REFERENCE_MACHINES } from './reference-machines.ts'
import { REFERENCE_MODELS, type ReferenceModel } from './reference-models.ts'

export function planTable(): string {
  const alone = REFERENCE_MACHINES.map(({ name, machine }) => [
    `${name}: ${describeMachine(machine)}`,
    ...REFERENCE_MODELS.map((model) => planLine(model, machine)),
  ])
  return [...alone, ...REFERENCE_MACHINES.filter(isShown).map(twoModels)]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

const isShown = ({ name }: { name: string }): boolean => name.startsWith('24 G')

function twoModels({ name, machine }: (typeof REFERENCE_MACHINES)[number]): string[] {
  const [, small, , large] = REFERENCE_MODELS
  const before = { ...machine, keptForLater: roomForLater([weightBytes(small.shape)]) }
  const first = planModel(large.shape, before)
  const left = first.fits ? afterPlan(machine, first.need) : machine
  return [
    `${name}, two models after each other: ${describeMachine(machine)}`,
    planLine(large, before),
    planLine(small, left),
  ]
}

export function describeMachine({ ram, gpu, cores }: MachineMemory): string {
  const own = `${formatMemory(ram.available)} of ${formatMemory(ram.total)} available`
  const kind = gpu === undefined ? plural(cores, 'core') : `${gpu.kind} ${formatMemory(gpu.free)} free`
  return `${own}, ${kind}`
}

function planLine({ name, shape }: ReferenceModel, machine: MachineMemory): string {
  const plan = planModel(shape, machine)
  const text = plan.fits
    ? `${describePlan(shape, plan)}, ${formatMemory(plan.need.ram + plan.need.gpu)}`
    : explainRejection(machine, plan, {})
  return `  ${name.padEnd(22)}${text}`
}
