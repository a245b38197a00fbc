// Reports of devices without characters that could mislead people who read them in the console, the log or a terminal. Texts lose them. The
// names of models and files are repeated to devices exactly as they are, so an entry whose name has such characters is left out. Older
// devices also report the secrets in the addresses of models: they are dropped.

import {
  joinSlots,
  plainSource,
  withPlainSources,
  type DeviceModel,
  type Download,
  type Hello,
  type Library,
  type ModelReply,
  type SharedModel,
} from '@hearth/protocol'
import { dropUnprintable, dropUnprintableInside, PRINTABLE } from '../../text/printable.ts'
import { printableMachine } from '../../text/printable-machine.ts'

/** The longest address of a network has 45 characters. A proxy may name something longer. */
const MAX_ADDRESS_LENGTH = 64

export function printableAddress(address = 'an unknown address'): string {
  return dropUnprintable(address).slice(0, MAX_ADDRESS_LENGTH)
}

export function printableHello({ machine, models, ...hello }: Hello): Hello {
  return {
    ...dropUnprintableInside(hello),
    models: printableModels(models),
    ...(machine && { machine: printableMachine(machine) }),
  }
}

export function printableModels(models: readonly DeviceModel[]): DeviceModel[] {
  return models.filter(hasPrintableName).map((model) => dropUnprintableInside(joinSlots(model)))
}

export function printableDownloads(downloads: readonly Download[]): Download[] {
  return downloads
    .filter(({ model }) => PRINTABLE.test(model))
    .map(({ problem, ...download }) =>
      printableSource({ ...download, ...(problem !== undefined && { problem: withPlainSources(problem) }) }),
    )
}

export function printableLibrary({ models, ...library }: Library): Library {
  return { ...dropUnprintableInside(library), models: models.filter(hasPrintableName).map(printableSource) }
}

export function printableShared(models: readonly SharedModel[]): SharedModel[] {
  return (
    models
      .filter((model) => hasPrintableName(model) && model.files.every(hasPrintableName))
      // There may be ten thousand files, and nothing is left in them to clean.
      .map(({ files, ...model }) => ({ ...printableSource(model), files }))
  )
}

/** A model with another name is not the one that the person asked for, so its name can be cleaned like any text. */
export function printableReply(reply: ModelReply): ModelReply {
  return dropUnprintableInside(reply)
}

function printableSource<Reported extends { source?: string }>(reported: Reported): Reported {
  const { source } = reported
  return dropUnprintableInside(source === undefined ? reported : { ...reported, source: plainSource(source) })
}

function hasPrintableName({ name }: { name: string }): boolean {
  return PRINTABLE.test(name)
}
