// A device as a machine that models run on: what is known about it, and how fast models really answered there.

import {
  estimate,
  guessFacts,
  type Estimate,
  type MachineFacts,
  type Measured,
  type ModelFacts,
} from '@hearth/model-list'
import type { Schemas } from '../../../api/client.ts'
import { formatMemory, plural } from '../../../lib/format.ts'

type Device = Schemas['Device']
type Known = Schemas['ListedModel']

export interface DeviceMachine {
  device: Device
  facts: MachineFacts
  /** False if the device's app is too old to describe its machine: then only its room for models is known. */
  isDescribed: boolean
  measured: Measured[]
}

export function machineOf(device: Device, known: readonly Known[]): DeviceMachine {
  const { machine, library } = device
  const facts = {
    processor: machine?.processor ?? undefined,
    cores: machine?.cores ?? undefined,
    memoryBytes: machine?.memoryBytes ?? undefined,
    gpu: cardOf(device),
    gpuMemoryBytes: machine?.gpuMemoryBytes ?? undefined,
    roomBytes: library?.memoryBytes,
    diskFreeBytes: library?.diskFreeBytes,
  }
  return { device, facts, isDescribed: machine?.processor != null, measured: measuredOn(device, known) }
}

/** Without a loaded model, the device doesn't know yet whether its card works. */
function cardOf({ backend, machine }: Device): string | undefined {
  if (backend?.name === 'cpu') return undefined
  return machine?.gpu ?? backend?.card ?? undefined
}

function measuredOn({ models, library }: Device, known: readonly Known[]): Measured[] {
  return models.flatMap(({ name, tokensPerSecond }) => {
    const kept = library?.models.find((one) => one.name === name)
    const model = known.find((one) => one.name === name) ?? (kept && guessFacts(kept))
    return tokensPerSecond === null || model === undefined ? [] : [{ model, tokensPerSecond }]
  })
}

/** Without a speed if nothing is known that it depends on. */
export function estimateOn({ facts, isDescribed, measured }: DeviceMachine, model: ModelFacts): Estimate {
  const { speed, ...rest } = estimate(facts, model, measured)
  return speed === undefined || !(isDescribed || rest.isMeasured) ? rest : { ...rest, speed }
}

/** Devices that admins can add models to now. */
export function openMachines(machines: readonly DeviceMachine[]): DeviceMachine[] {
  return machines.filter(({ device: { state, library } }) => state !== 'offline' && library?.isOpen === true)
}

/** "NVIDIA H200, 128 GB of memory", "2 cores, 24 GB of memory" */
export function describeMachine({ facts: { gpu, processor, cores, memoryBytes } }: DeviceMachine): string {
  const chip = gpu === undefined || gpu === 'Apple GPU' ? processor : gpu
  const parts = [
    chip,
    gpu === undefined && cores !== undefined ? plural(cores, 'core') : undefined,
    memoryBytes === undefined ? undefined : `${formatMemory(memoryBytes)} of memory`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
