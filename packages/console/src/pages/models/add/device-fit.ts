// Whether a model can be downloaded to a device, and if not, why and what to do.

import type { Shapes } from '../../../api/client.ts'
import { formatBytes } from '../../../lib/format.ts'

type Device = Shapes['Device']

/** The room that a model takes. Zero if nobody knows before the download. */
export interface ModelNeeds {
  name: string
  bytes: number
  memoryBytes: number
}

export type Fit =
  | { kind: 'fits'; note: string }
  /** The device has the model, or is getting it. */
  | { kind: 'has'; note: string }
  | { kind: 'too-small'; note: string }
  /** Nothing about this model: the device can't take any. */
  | { kind: 'closed'; note: string }

/** Left free on the disk, as the device does. */
const SPARE_BYTES = 500_000_000

export function fitOn(device: Device, needs: ModelNeeds): Fit {
  const { library, downloads, models } = device
  if (device.state === 'offline') return closed('Offline. Start the device app there.')
  if (library === null) return closed('Its app is too old for this. Run hearth-device update there.')
  if (downloads.some(({ model }) => model === needs.name)) return { kind: 'has', note: 'Already downloading it' }
  const isThere = [...library.models, ...models].some(({ name }) => name === needs.name)
  if (isThere) return { kind: 'has', note: 'Already has it' }
  if (!library.isOpen) return closed(sentence(library.why ?? 'its owner does not allow it'))
  const memory = needs.memoryBytes - library.memoryBytes
  if (memory > 0) return tooSmall(`Needs ${formatBytes(memory)} more memory`)
  const disk = needs.bytes + SPARE_BYTES - library.diskFreeBytes
  if (disk > 0) return tooSmall(`Needs ${formatBytes(disk)} more disk space`)
  return { kind: 'fits', note: fitNote(device, library.diskFreeBytes) }
}

function fitNote({ isPaused }: Device, diskFreeBytes: number): string {
  const room = `Fits, ${formatBytes(diskFreeBytes)} of disk space free`
  return isPaused ? `${room}. Paused: it downloads now, and serves after you resume it` : room
}

function tooSmall(note: string): Fit {
  return { kind: 'too-small', note }
}

function closed(note: string): Fit {
  return { kind: 'closed', note }
}

function sentence(text: string): string {
  const start = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return start.endsWith('.') ? start : `${start}.`
}

/** The device with the most memory among those that fit: the model runs best there. */
export function bestDevice(devices: readonly Device[], needs: ModelNeeds): Device | undefined {
  const fitting = devices.filter((device) => !device.isPaused && fitOn(device, needs).kind === 'fits')
  return fitting.toSorted((one, other) => memoryOf(other) - memoryOf(one))[0]
}

export function memoryOf({ library }: Device): number {
  return library?.memoryBytes ?? 0
}

/** The largest models that fit somewhere come first: they answer best. Those that fit nowhere come last, the nearest first. */
export function orderByFit<Model extends ModelNeeds>(models: readonly Model[], devices: readonly Device[]): Model[] {
  const fitting = models.filter((model) => summarizeFit(devices, model).fits.length > 0)
  const others = models.filter((model) => !fitting.includes(model))
  return [...fitting.toSorted((one, other) => other.bytes - one.bytes), ...others]
}

/** Names of the devices where a model fits, and what the others lack. */
export function summarizeFit(devices: readonly Device[], needs: ModelNeeds): { fits: string[]; lacks: string[] } {
  const all = devices.map((device) => ({ device, fit: fitOn(device, needs) }))
  return {
    fits: all.filter(({ fit }) => fit.kind === 'fits' || fit.kind === 'has').map(({ device }) => device.name),
    lacks: all
      .filter(({ fit }) => fit.kind === 'too-small')
      .map(({ device, fit }) => `${device.name} (${fit.note.charAt(0).toLowerCase()}${fit.note.slice(1)})`),
  }
}
