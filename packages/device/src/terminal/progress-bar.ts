// A bar for work that takes minutes: ██████░░░░ 60% · 2 min left

import { formatSeconds } from '@hearth/command-line/format'
import type { Screen } from '@hearth/command-line/terminal/screen'

const LENGTH = 24
/** A log file gets a line for each tenth. */
const LINES = 10
/** Earlier than this share, the remaining time is a guess. */
const KNOWN_SHARE = 0.05

export function drawBar(share: number, elapsedMs: number): string {
  const full = Math.round(share * LENGTH)
  const bar = '█'.repeat(full) + '░'.repeat(LENGTH - full)
  const left = ((elapsedMs / share) * (1 - share)) / 1000
  const time = share < KNOWN_SHARE || share === 1 ? '' : ` · ${formatSeconds(left)} left`
  return `${bar} ${Math.floor(share * 100)}%${time}`
}

/** Returns the function that takes each new share. */
export function createBar(
  label: string,
  { screen, isTerminal }: { screen: Screen; isTerminal: boolean },
  now: () => number,
): (share: number) => void {
  const startedAt = now()
  let tenths = 0
  return (share) => {
    screen.live(`  ${label} ${drawBar(share, now() - startedAt)}`)
    if (isTerminal || Math.floor(share * LINES) <= tenths) return
    tenths = Math.floor(share * LINES)
    screen.line('info', `${label} ${Math.floor(share * 100)}%`)
  }
}
