import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatMemory } from '../../lib/format.ts'
import { Name } from '../../parts/text/name.tsx'

export type Fact = readonly [name: string, value: ReactNode]

/** Facts that a machine reports about itself, to tell it from others. */
export function machineFacts(machine: Schemas['Machine'] | null): Fact[] {
  if (machine === null) return []
  const { model, system, processor, cores, memoryBytes, gpu, gpuMemoryBytes } = machine
  const withCores = processor === null || cores === null ? processor : `${processor} (${cores} cores)`
  const facts: [string, string | null][] = [
    ['Machine', model],
    ['System', system],
    ['Processor', withCores],
    ['Memory', memoryBytes === null ? null : formatMemory(memoryBytes)],
    ['GPU', gpu === null || gpuMemoryBytes === null ? gpu : `${gpu} (${formatMemory(gpuMemoryBytes)})`],
  ]
  return facts.flatMap(([name, text]) => (text === null ? [] : [[name, <Name key={name} text={text} />] as const]))
}

/** A person would say it in a line: "ThinkStation P5 · NVIDIA RTX 6000 Ada · 64 GB". */
export function summarizeMachine(machine: Schemas['Machine'] | null): string {
  if (machine === null) return ''
  const { model, gpu, processor, memoryBytes } = machine
  const memory = memoryBytes === null ? null : formatMemory(memoryBytes)
  return [model, gpu ?? processor, memory].filter((part) => part !== null).join(' · ')
}
