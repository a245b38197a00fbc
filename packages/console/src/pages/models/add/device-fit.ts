// Whether a model can be downloaded to a device, and if not, why and what to do.

import { firstTokenText, fitText, powerOf, speedText, type Estimate, type ModelFacts } from '@hearth/model-list'
import type { Schemas } from '../../../api/client.ts'
import { capitalize, formatBytes } from '../../../lib/format.ts'
import { estimateOn, type DeviceMachine } from './device-machine.ts'

export type DeviceFit =
  | { kind: 'fits'; note: string; tokensPerSecond: number }
  /** The device has the model, or is getting it. */
  | { kind: 'has'; note: string }
  | { kind: 'too-small'; note: string }
  /** Nothing about this model: the device can't take any. */
  | { kind: 'closed'; note: string }

export function fitOn(machine: DeviceMachine, model: ModelFacts): DeviceFit {
  const { device } = machine
  const { library, downloads, models } = device
  if (device.state === 'offline') return closed('Offline. Start the device app there.')
  if (library === null) return closed('Its app is too old for this. Run hearth-device update there.')
  if (downloads.some((download) => download.model === model.name))
    return { kind: 'has', note: 'Already downloading it' }
  const isThere = [...library.models, ...models].some(({ name }) => name === model.name)
  if (isThere) return { kind: 'has', note: 'Already has it' }
  if (!library.isOpen) return closed(sentence(library.why ?? 'its owner does not allow it'))
  // Nobody knows the size of some models before the download.
  if (model.bytes === 0) return { kind: 'fits', note: roomNote('Fits', machine), tokensPerSecond: 0 }
  const estimate = estimateOn(machine, model)
  if (estimate.fit.grade === 'too-large') return { kind: 'too-small', note: fitText(estimate.fit) }
  const note = fitNote(estimate, machine)
  return { kind: 'fits', note, tokensPerSecond: estimate.speed?.tokensPerSecond ?? 0 }
}

function fitNote(estimate: Estimate, machine: DeviceMachine): string {
  const { fit, speed } = estimate
  if (speed === undefined) return roomNote('Fits', machine)
  return `${speedText(estimate)}, first token in ${firstTokenText(speed)}. ${roomNote(fitText(fit), machine)}`
}

function roomNote(fit: string, { device, facts: { diskFreeBytes = 0 } }: DeviceMachine): string {
  const room = `${fit}, ${formatBytes(diskFreeBytes)} of disk space free`
  return device.isPaused ? `${room}. Paused: it downloads now, and serves after you resume it` : room
}

function closed(note: string): DeviceFit {
  return { kind: 'closed', note }
}

function sentence(text: string): string {
  const start = capitalize(text)
  return start.endsWith('.') ? start : `${start}.`
}

const ORDER = { fits: 0, has: 1, 'too-small': 2, closed: 3 }

/** Those that can be chosen come first, and of them the fastest. */
export function orderByFit(machines: readonly DeviceMachine[], model: ModelFacts) {
  const all = machines.map((machine) => ({ machine, fit: fitOn(machine, model) }))
  const byMemory = all.toSorted((one, other) => memoryOf(other.machine) - memoryOf(one.machine))
  const bySpeed = byMemory.toSorted((one, other) => speedIn(other.fit) - speedIn(one.fit))
  return bySpeed.toSorted((one, other) => ORDER[one.fit.kind] - ORDER[other.fit.kind])
}

function speedIn(fit: DeviceFit): number {
  return fit.kind === 'fits' ? fit.tokensPerSecond : 0
}

/** The fastest of the devices where it fits. */
export function bestDevice(machines: readonly DeviceMachine[], model: ModelFacts): Schemas['Device'] | undefined {
  return orderByFit(machines, model).find(({ machine, fit }) => fit.kind === 'fits' && !machine.device.isPaused)
    ?.machine.device
}

/** The machine that models answer fastest on; undefined without any. */
export function bestMachine(machines: readonly DeviceMachine[]): DeviceMachine | undefined {
  const power = ({ facts, isDescribed }: DeviceMachine): number => (isDescribed ? powerOf(facts) : 0)
  const byMemory = machines.toSorted((one, other) => memoryOf(other) - memoryOf(one))
  const byPower = byMemory.toSorted((one, other) => power(other) - power(one))
  return byPower.toSorted((one, other) => Number(one.device.isPaused) - Number(other.device.isPaused))[0]
}

function memoryOf({ facts }: DeviceMachine): number {
  return facts.roomBytes ?? 0
}

/** Names of the devices where a model fits, with the speed to expect, and what the others lack. */
export function summarizeFit(
  machines: readonly DeviceMachine[],
  model: ModelFacts,
): { fits: string[]; lacks: string[] } {
  const all = orderByFit(machines, model)
  return {
    fits: all
      .filter(({ fit }) => fit.kind === 'fits' || fit.kind === 'has')
      .map(({ machine }) => withNote(machine, speedText(estimateOn(machine, model)))),
    lacks: all.filter(({ fit }) => fit.kind === 'too-small').map(({ machine, fit }) => withNote(machine, fit.note)),
  }
}

function withNote({ device }: DeviceMachine, note: string | undefined): string {
  return note === undefined ? device.name : `${device.name} (${note.charAt(0).toLowerCase()}${note.slice(1)})`
}
