import { powerOf } from '@hearth/model-list'
import { memoryOf } from './device-fit.ts'
import type { DeviceMachine } from './device-machine.ts'

/** The machine that models answer fastest on; undefined without any. */
export function bestMachine(machines: readonly DeviceMachine[]): DeviceMachine | undefined {
  const byMemory = machines.toSorted((one, other) => memoryOf(other) - memoryOf(one))
  const byPower = byMemory.toSorted((one, other) => power(other) - power(one))
  return byPower.toSorted((one, other) => Number(one.device.isPaused) - Number(other.device.isPaused))[0]
}

function power({ facts, isDescribed }: DeviceMachine): number {
  return isDescribed ? powerOf(facts) : 0
}
