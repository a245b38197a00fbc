import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hearth } from '../hearth.ts'
import { countUsage } from '../tables.ts'
import { underLoad, type Load } from '../../harness/client/under-load.ts'
import { figure, noneFailed, seconds, type Figure, type Week } from '../week.ts'

const SIZE = '300m'
/** Usage is written every 5 s, so several writes fail. */
const FULL_MS = 30_000
const PIECE = Buffer.alloc(256 * 1024)
const MOST_MS = 90_000

/** Fills the disk of the data folder for half a minute. */
export async function fillDisk(week: Week): Promise<Figure[]> {
  const disk = join(week.folder, 'disk')
  mkdirSync(disk)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'hearth-week', disk])
  if (status !== 0) return [leftOut(String(stderr))]
  week.things.defer(() => void spawnSync('umount', ['--lazy', disk]))
  await using hearth = await week.start({ data: join(disk, 'data') })
  const figures: Figure[] = []
  const load = await underLoad(hearth.client, async () => {
    const since = performance.now()
    fill(disk)
    const isNamed = await until(async () => Object.values(await checksOf(hearth)).some((text) => text !== 'ok'))
    figures.push(isNamed ? seconds('until /readyz names it', since, 10) : figure('/readyz names it', 'never', false))
    await sleep(FULL_MS)
    console.log(`  ${statfsSync(disk).bavail} blocks free, and /readyz says: ${JSON.stringify(await checksOf(hearth))}`)
  })
  const freed = performance.now()
  rmSync(join(disk, 'filling'))
  return [...figures, noneFailed(load), await usageIsComplete(hearth, load, freed)]
}

function fill(disk: string): void {
  try {
    for (;;) appendFileSync(join(disk, 'filling'), PIECE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

async function usageIsComplete(hearth: Hearth, { answered }: Load, since: number): Promise<Figure> {
  let counted = 0
  const isComplete = await until(async () => (counted = await countUsage(hearth.database)) >= answered)
  const text = `${counted} of ${answered} requests counted`
  if (!isComplete || counted !== answered) return figure('usage once there is room', text, false)
  const { figure: after } = seconds('', since, 60)
  return figure('usage once there is room', `${text} after ${after}`, true)
}

async function checksOf({ origin }: Hearth): Promise<Record<string, string>> {
  const response = await fetch(`${origin}/readyz`)
  return ((await response.json()) as { checks: Record<string, string> }).checks
}

/** False if it never happens. */
async function until(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (const since = performance.now(); performance.now() - since < MOST_MS; await sleep(250))
    if (await isTrue().catch(() => false)) return true
  return false
}

function leftOut(why: string): Figure {
  return { what: 'a small disk', figure: why.trim() || 'mount failed', result: 'left out' }
}
