// The list of decisions, from the titles of their pages.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url))

export function decisionList(): string {
  return globSync('0*.md', { cwd: FOLDER }).toSorted().map(describe).join('\n')
}

/** A page begins with "# 12. Title", and its file with the same number. */
function describe(file: string): string {
  const text = readFileSync(FOLDER + file, 'utf8')
  const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? []
  if (Number(number) !== Number.parseInt(file, 10))
    throw new Error(`${file} has to begin with "# ${Number.parseInt(file, 10)}. Title"`)
  const [, successor] = /^Replaced by \[decision (\d+)\]/m.exec(text) ?? []
  return `${number}. [${title}](${file})${successor ? ` (replaced by ${successor})` : ''}`
}
