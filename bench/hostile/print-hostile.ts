// How much a bystander notices of each attack in e2e/hostile. Every attack meets a fresh gateway.

import { setTimeout } from 'node:timers/promises'
import type { Attack } from '../../e2e/hostile/attack.ts'
import { ATTACKS } from '../../e2e/hostile/attacks.ts'
import { oversizedPrompts } from '../../e2e/hostile/attacks/oversized-prompts.ts'
import { manyKeys } from '../../e2e/hostile/attacks/many-keys.ts'
import { newConnections } from '../../e2e/hostile/attacks/new-connections.ts'
import { silentStore } from '../../e2e/hostile/attacks/silent-store.ts'
import { MOST_MEMORY_MIB, MOST_STALL_MS } from '../../e2e/hostile/expect-unharmed.ts'
import { HostileSystem, type Outcome } from '../../e2e/hostile/hostile-system.ts'
import { SharedDevice } from '../../e2e/hostile/shared-device.ts'
import { percentile } from '../percentile.ts'
import { sufferBare } from './floor.ts'

const TARGET_P99_MS = 250
/** How much longer than without the attack a stream on the attacked device may stop. */
const TARGET_GAP_MS = 100
const QUIET_MS = 15_000
/** How much longer than at a server that does nothing, where that alone takes longer than the target. */
const TARGET_OF_FLOOR = 1.5

export async function printHostile(only: readonly string[] | undefined): Promise<void> {
  const chosen = [...ATTACKS, manyKeys, silentStore].filter(({ name }) => only === undefined || only.includes(name))
  console.log(`${heading()}\n`)
  for (const attack of chosen) {
    await using hostile = await HostileSystem.start()
    console.log(await suffer(hostile, attack))
  }
}

async function suffer(hostile: HostileSystem, attack: Attack): Promise<string> {
  if (attack === oversizedPrompts) return onDevice(hostile, attack)
  const outcome = await hostile.suffer(attack)
  if (attack !== newConnections) return formatOutcome(outcome)
  const floorMs = percentile((await sufferBare(attack)).waitsMs, 0.99)
  return `${formatOutcome(outcome, Math.max(TARGET_P99_MS, TARGET_OF_FLOOR * floorMs))} · p99 ${floorMs.toFixed(0)} ms at a server that does nothing`
}

/** The attack is on a device rather than on the gateway, so its streams are watched too. */
async function onDevice(hostile: HostileSystem, attack: Attack): Promise<string> {
  await using device = await SharedDevice.start(hostile)
  const quiet = await device.during(() => setTimeout(QUIET_MS))
  const busy = await device.during(() => hostile.suffer(attack))
  const [without, under] = [quiet, busy].map(({ gapsMs }) => Math.max(...gapsMs)) as [number, number]
  const isMet = under - without < TARGET_GAP_MS && busy.faults.length === 0
  const gaps = `longest gap in ${busy.gapsMs.length} streams of another key on the device ${under.toFixed(0)} ms, ${without.toFixed(0)} ms without the attack`
  const turn = `longest turn of the device ${(busy.stallsMs[0] ?? 0).toFixed(0)} ms`
  return `${formatOutcome(busy.result)}\n${isMet ? 'met    ' : 'NOT MET'} ${attack.name.padEnd(20)} · ${gaps} · ${turn}`
}

function heading(): string {
  return `What another organization's key notices: no call may fail, and p99 must stay under ${TARGET_P99_MS} ms.
"turn" is the longest turn of the gateway's event loop in CPU time, under ${MOST_STALL_MS} ms; "peak" its memory, under ${MOST_MEMORY_MIB} MiB. The heap may have 512 MiB.`
}

function formatOutcome(outcome: Outcome, targetMs = TARGET_P99_MS): string {
  const { attack, waitsMs, faults, stallsMs, peakMiB, isAlive, report } = outcome
  const p99 = percentile(waitsMs, 0.99)
  const isBounded = (stallsMs[0] ?? 0) < MOST_STALL_MS && peakMiB < MOST_MEMORY_MIB
  const isMet = isAlive && faults.length === 0 && p99 < targetMs && isBounded
  const cells = [
    isMet ? 'met    ' : 'NOT MET',
    attack.name.padEnd(20),
    `${faults.length} of ${waitsMs.length} calls failed`,
    `p50 ${percentile(waitsMs, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${percentile(waitsMs, 1).toFixed(0)} ms`,
    `turn ${(stallsMs[0] ?? 0).toFixed(0)} ms`,
    isAlive ? `peak ${peakMiB.toFixed(0)} MiB` : 'the gateway died',
    `attacker saw ${JSON.stringify(report)}`,
  ]
  return cells.join(' · ')
}
