// Reports of devices without characters that could mislead people who read them in the console, the log or a terminal, and without secrets
// in the addresses of models, which older devices report.

import {
  plainSource,
  withPlainSources,
  type DeviceBackend,
  type Download,
  type Hello,
  type Library,
  type Rest,
  type SharedModel,
} from '@hearth/protocol'
import { dropUnprintable } from '../../text/printable.ts'
import { printableMachine } from '../../text/printable-machine.ts'

/** The longest address of a network has 45 characters. A proxy may name something longer. */
const MAX_ADDRESS_LENGTH = 64

export function printableAddress(address = 'an unknown address'): string {
  return dropUnprintable(address).slice(0, MAX_ADDRESS_LENGTH)
}

export function printableHello(hello: Hello): Hello {
  const { app, engine, machine } = hello
  const texts = { app: dropUnprintable(app), engine: dropUnprintable(engine) }
  return { ...hello, ...texts, ...(machine && { machine: printableMachine(machine) }) }
}

export function printableBackend({ name, card, driver, problems }: DeviceBackend): DeviceBackend {
  return {
    name: dropUnprintable(name),
    ...(card !== undefined && { card: dropUnprintable(card) }),
    ...(driver !== undefined && { driver: dropUnprintable(driver) }),
    problems: problems.map((problem) => ({
      name: dropUnprintable(problem.name),
      why: dropUnprintable(problem.why),
      remedy: dropUnprintable(problem.remedy),
    })),
  }
}

export function printableDownload({ model, by, problem, source, ...download }: Download): Download {
  return {
    model: dropUnprintable(model),
    ...download,
    ...printable({ by, problem: problem && withPlainSources(problem), source: source && plainSource(source) }),
  }
}

export function printableLibrary({ why, models, ...library }: Library): Library {
  return {
    ...library,
    ...printable({ why }),
    models: models.map(({ name, source, ...model }) => ({
      name: dropUnprintable(name),
      ...model,
      ...printable({ source: source && plainSource(source) }),
    })),
  }
}

/** Only devices read it, so characters don't matter. */
export function printableShared(model: SharedModel): SharedModel {
  return model.source === undefined ? model : { ...model, source: plainSource(model.source) }
}

export function printableRest({ reason, until }: Rest): Rest {
  return { reason, ...printable({ until }) }
}

/** Leaves out texts that are absent. */
function printable<Name extends string>(texts: Record<Name, string | undefined>): { [name in Name]?: string } {
  const present = Object.entries<string | undefined>(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, dropUnprintable(text)]],
  )
  return Object.fromEntries(present) as {
    [name in Name]?: string
  }
}
