// A machine's description of itself, made safe to show to people.

import type { Machine } from '@hearth/protocol'
import { dropUnprintable } from './printable.ts'

export function printableMachine({ cores, memoryBytes, gpuMemoryBytes, ...texts }: Machine): Machine {
  const shown = Object.entries(texts).map(([name, text]) => [name, dropUnprintable(text).trim()] as const)
  return {
    ...Object.fromEntries(shown.filter(([, text]) => text !== '')),
    ...(cores !== undefined && { cores }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(gpuMemoryBytes !== undefined && { gpuMemoryBytes }),
  }
}
