import { startHearth, type Hearth, type HearthOptions } from './hearth.ts'

export interface Checkouts {
  /** Another checkout of this repository, whose gateway is started too. */
  against: string | undefined
}

/** This gateway, and with --against the one of another checkout. */
export async function startCheckouts({ against }: Checkouts, options: HearthOptions): Promise<Hearth[]> {
  const ours = await startHearth(options)
  return against === undefined ? [ours] : [ours, await startHearth({ ...options, checkout: against })]
}

/** Several processes of each, to be compared as one: what the compiler makes of the same code differs by several percent. */
export async function startProcesses(
  options: Checkouts & { processes: number },
  hearth: HearthOptions,
): Promise<Hearth[]> {
  const systems: Hearth[] = []
  for (let process = 0; process < options.processes; process++) systems.push(...(await startCheckouts(options, hearth)))
  return systems
}
