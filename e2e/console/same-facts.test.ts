// What terminals and the console say about the same machines and models: the code of both, without a browser or a device.

import { createRequire } from 'node:module'
import {
  createJudge,
  describeMachine,
  describeRecommended,
  memoryForModels,
  recommendFor,
} from '@hearth/device/testing'
import { factsOf, MODEL_LIST } from '@hearth/model-list'
import { formatMemory } from '@hearth/command-line/format'
import { describe, expect, it } from 'vitest'

const CONSOLE = '../../packages/console/src/pages/models/add'
const GIB = 1024 ** 3
const DISK = 5e12

type Machine = Parameters<typeof createJudge>[0]

interface Described {
  facts: object
}

/** Type checked with the console, whose types are those of a browser. */
interface ConsoleParts {
  machineOf: (device: object, known: readonly object[]) => Described
  describeMachine: (machine: Described) => string
  fitOn: (machine: Described, model: object) => { kind: string; note: string }
  Suggestions: unknown
}

const parts = {
  ...((await import(`${CONSOLE}/device-machine.ts`)) as object),
  ...((await import(`${CONSOLE}/device-fit.ts`)) as object),
  ...((await import(`${CONSOLE}/suggestions.tsx`)) as object),
} as ConsoleParts
const consoleRequire = createRequire(new URL(`${CONSOLE}/suggestions.tsx`, import.meta.url))
const { createElement } = consoleRequire('react') as { createElement: (...given: unknown[]) => unknown }
const { renderToStaticMarkup } = consoleRequire('react-dom/server') as {
  renderToStaticMarkup: (page: unknown) => string
}

const known = MODEL_LIST.map((model) => ({ ...model, ...factsOf(model) }))

function machine(gib: number, processor: string, cores: number, card?: { name: string; gib: number }) {
  const ram = { total: gib * GIB, available: (gib * GIB) / 2 }
  const gpu = card && ({ kind: 'cuda', total: card.gib * GIB, free: card.gib * GIB, isUnified: false } as const)
  const own: Machine = { ram, cores, ...(gpu && { gpu }) }
  const said = {
    processor,
    cores,
    memoryBytes: ram.total,
    gpu: card?.name ?? null,
    gpuMemoryBytes: gpu?.total ?? null,
  }
  const library = { isOpen: true, diskFreeBytes: DISK, memoryBytes: memoryForModels(own), models: [] }
  const device = { id: 'd', name: 'vm', state: 'online', isPaused: false, backend: null, models: [], downloads: [] }
  return { own, said, inConsole: parts.machineOf({ ...device, machine: said, library }, known) }
}

/** As a person reads it. */
function textOf(html: string): string {
  return html
    .replaceAll('&#x27;', "'")
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe.each([
  ['a small machine', machine(23.5, 'Intel Xeon Processor', 2)],
  ['an old laptop', machine(8, 'Intel(R) Core(TM) i5-8250U CPU', 4)],
  ['a server with a card', machine(126, 'AMD EPYC 9354', 32, { name: 'NVIDIA H200', gib: 139.8 })],
])('terminals and the console, about %s', (_, { own, said, inConsole }) => {
  const { gpu, gpuMemoryBytes, ...rest } = said
  const facts = { ...rest, ...(gpu !== null && { gpu }), ...(gpuMemoryBytes !== null && { gpuMemoryBytes }) }

  it('recommend the same models for the same reason, with the same size', () => {
    const suggestions = createElement(parts.Suggestions, { machine: inConsole, known, onChoose: () => {} })
    const shown = textOf(renderToStaticMarkup(suggestions))
    const { recommended, fast } = recommendFor({ ...facts, diskFreeBytes: DISK }, new Set())
    expect(recommended ?? fast).toBeDefined()
    for (const model of [recommended, fast].filter((one) => one !== undefined)) {
      const [title, size] = /^(.+) \(\S+\), (.+? download)\. /.exec(describeRecommended(model))!.slice(1)
      expect(shown).toContain(`${title} `)
      expect(shown).toContain(size)
      expect(shown).toContain(`${model.reason}.`)
    }
  })

  it('say the same memory', () => {
    const [, total] = / of (\d+ GB) available/.exec(describeMachine(own))!
    expect(parts.describeMachine(inConsole)).toContain(`${total} of memory`)
  })

  it('agree on which models fit, and on what is missing', () => {
    const judge = createJudge(own)
    for (const model of known) {
      const inTerminal = judge(model)
      const { kind, note } = parts.fitOn(inConsole, model)
      expect([model.name, kind !== 'too-small']).toEqual([model.name, inTerminal.fits])
      if (!inTerminal.fits) expect(note).toBe(`Needs ${formatMemory(inTerminal.missingBytes)} more memory`)
    }
  })
})
