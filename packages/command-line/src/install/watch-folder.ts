// Shows the progress of a program that fills a folder and prints nothing itself.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes, formatSeconds } from '../format.ts'
import type { Screen } from '../terminal/screen.ts'

const LOOK_MS = 2_000

export async function watchFolder<Result>(folder: string, screen: Screen, work: Promise<Result>): Promise<Result> {
  const since = Date.now()
  const timer = setInterval(
    () =>
      screen.live(
        `  ${formatBytes(folderBytes(folder))} on disk so far · ${formatSeconds((Date.now() - since) / 1000)}`,
      ),
    LOOK_MS,
  )
  try {
    return await work
  } finally {
    clearInterval(timer)
    screen.live(undefined)
  }
}

/** Ignores errors, because files come and go during the count. */
function folderBytes(folder: string): number {
  try {
    const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? folderBytes(path) : entry.isFile() ? statSync(path).size : 0
    })
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  } catch {
    return 0
  }
}
