// What the computed policies make of the same requests.

import { FLEET_POLICIES, runPolicy, timesOf, type PlacedRequest } from '@hearth/gateway/testing'
import { isCounted, type FleetResult } from './measure-run.ts'
import { drawRequests, findWorld, type FleetRun } from './requests.ts'

/** By the name of the policy. */
export function computeRun(run: FleetRun): Map<string, FleetResult> {
  return new Map(FLEET_POLICIES.map((policy) => [policy.name, compute(policy, run)]))
}

function compute(policy: (typeof FLEET_POLICIES)[number], run: FleetRun): FleetResult {
  const world = findWorld(run.world)
  const placed = runPolicy(policy, world, drawRequests(run)).filter(({ request }) => isCounted(request))
  const total = (pick: (each: (typeof placed)[number]) => number) => placed.reduce((sum, each) => sum + pick(each), 0)
  return {
    ...timesOf(placed.map(({ request: { at }, firstAt, endAt }) => ({ first: firstAt! - at, end: endAt! - at }))),
    failures: 0,
    readAgain: total(readAgain) / total(({ request }) => request.promptSize),
    devices: world.devices.map((_, place) => total(({ device }) => Number(device === place)) / placed.length),
    moved: 0,
  }
}

/** The device that got the turn before holds all but what is new. */
function readAgain({ request: { promptSize, prefixes }, read = 0 }: PlacedRequest): number {
  const isNew = promptSize - (prefixes.at(-2)?.size ?? 0)
  return Math.max(0, read - isNew)
}
