// Where models compute: the rungs of the ladder, from the fastest to the one that always works.

export const RUNGS = ['cuda-built', 'cuda', 'cuda12', 'vulkan', 'metal', 'cpu'] as const
export type Rung = (typeof RUNGS)[number]

/** How an engine's process is started so that it computes on one rung. */
export interface Backend {
  rung: Rung
  gpu: 'cuda' | 'vulkan' | 'metal' | false
  /** Zero where the library has no build without a GPU. */
  gpuLayers?: 0
  /** The file that computes, to find out why it can't be opened. */
  library?: string
  /** Added to the process's environment. */
  environment: Readonly<Record<string, string>>
}

/** A failure that the back end may be to blame for. */
export interface BackendFault {
  /** How the engine's process ended, or what the library said. */
  how: string
  /** Nothing but the back end can be to blame. */
  isCertain: boolean
}

/** Why a rung can't be used, in words for the owner. */
export interface Problem {
  rung: Rung
  why: string
  remedy: string
  /** The problem may be gone at the next start, so it isn't remembered. */
  isPassing: boolean
}

export interface BackendReport {
  rung: Rung
  /** The graphics card, if there is one. */
  card?: string
  driver?: string
  problems: readonly Problem[]
}

const RUNG_TITLES: Readonly<Record<string, string>> = {
  'cuda-built': 'CUDA built for this card',
  cuda: 'CUDA',
  cuda12: 'CUDA 12',
  vulkan: 'Vulkan',
  metal: 'Metal',
  cpu: 'the CPU',
}

/** A newer app may have left rungs in a file that this one doesn't know. */
export function rungTitle(rung: string): string {
  return RUNG_TITLES[rung] ?? rung
}

export function describeProblem({ rung, why, remedy }: { rung: string; why: string; remedy: string }): string {
  return `Can't use ${rungTitle(rung)}: ${why} → ${remedy}`
}

/** NVIDIA H200 (driver 580.95.05) */
export function describeCard({ card = 'the GPU', driver }: { card?: string; driver?: string }): string {
  return driver === undefined ? card : `${card} (driver ${driver})`
}

/** NVIDIA H200 (driver 580.95.05) with CUDA 12 */
export function describeRung({ rung, card, driver }: { rung: string; card?: string; driver?: string }): string {
  if (rung === 'cpu' || card === undefined) return rungTitle(rung)
  return `${describeCard({ card, ...(driver !== undefined && { driver }) })} with ${rungTitle(rung)}`
}
