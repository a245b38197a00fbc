// How much a bystander notices of each attack in e2e/hostile. Every attack meets a fresh gateway.

import { setTimeout } from 'node:timers/promises'
import type { Attack } from '../../e2e/hostile/attack.ts'
import { ATTACKS } from '../../e2e/hostile/attacks.ts'
import { oversizedPrompts } from '../../e2e/hostile/attacks/oversized-prompts.ts'
import { manyKeys } from '../../e2e/hostile/attacks/many-keys.ts'
import { silentStore } from '../../e2e/hostile/attacks/silent-store.ts'
import { MOST_MEMORY_MIB, MOST_STALL_MS } from '../../e2e/hostile/expect-unharmed.ts'
import { HostileSystem, type Outcome } from '../../e2e/hostile/hostile-system.ts'
import { SharedDevice } from '../../e2e/hostile/shared-device.ts'
import { percentile } from '../percentile.ts'

const TARGET_P99_MS = 250
/** How much longer than without the attack a stream on the attacked device may stop. */
const TARGET_GAP_MS = 100
const QUIET_MS = 15_000

export async function printHostile(only: readonly string[] | undefined): Promise<void> {
  const chosen = [...ATTACKS, manyKeys, silentStore].filter(({ name }) => only === undefined || only.includes(name))
  console.log(`${heading()}\n`)
  for (const attack of chosen) {
    await using hostile = await HostileSystem.start()
    console.log(
      attack === oversizedPrompts ? await onDevice(hostile, attack) : formatOutcome(await hostile.suffer(attack)),
    )
  }
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

function formatOutcome({ attack, waitsMs, faults, stallsMs, peakMiB, isAlive, report }: Outcome): string {
  const p99 = percentile(waitsMs, 0.99)
  const isBounded = (stallsMs[0] ?? 0) < MOST_STALL_MS && peakMiB < MOST_MEMORY_MIB
  const isMet = isAlive && faults.length === 0 && p99 < TARGET_P99_MS && isBounded
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
