// Every round measures all systems in turn, so that slow phases of the machine meet all of them.

import type { System } from './system.ts'

/** For each round, the figures of all systems. */
export async function inTurns(
  systems: readonly System[],
  rounds: number,
  measure: (system: System) => Promise<number>,
): Promise<number[][]> {
  const measured: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const figures: number[] = []
    for (const system of systems) figures.push(await measure(system))
    measured.push(figures)
  }
  return measured
}
