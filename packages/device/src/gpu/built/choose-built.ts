// Which of the back ends that were built here fits the engine and the cards of now, or why none does.

import type { BuiltBackend } from './built-backend.ts'

export type BuiltChoice = { kind: 'fits'; built: BuiltBackend } | { kind: 'stale'; why: string } | { kind: 'none' }

/** Where the cards' capabilities are unknown, every build may fit: the proof decides. */
export function chooseBuilt(
  all: readonly BuiltBackend[],
  { engine, capabilities }: { engine: string; capabilities: readonly string[] },
): BuiltChoice {
  const [newest] = all
  if (newest === undefined) return { kind: 'none' }
  const ofEngine = all.filter((built) => built.engine === engine)
  if (ofEngine.length === 0)
    return {
      kind: 'stale',
      why: `it was built for version ${newest.engine} of the engine, and the app now has ${engine}`,
    }
  const built = ofEngine.find((other) => capabilities.every((card) => other.capabilities.includes(card)))
  if (built !== undefined) return { kind: 'fits', built }
  const cards = `compute capability ${capabilities.join(' and ')}`
  return { kind: 'stale', why: `it was built for another card, and this machine's has ${cards}` }
}
