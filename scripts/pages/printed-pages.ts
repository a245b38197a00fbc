// All that `npm run docs` writes: pages generated as a whole, and pages with blocks in them. A test compares them with what is checked in.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { blocksIn, fillBlocks } from './fill-blocks.ts'
import { commandsPage } from './commands-page.ts'
import { printNotices } from './notices/notices.ts'
import { metricsPage } from './metrics-page.ts'
import { printBlocks } from './printed-blocks.ts'
import { drawStart } from './start-picture.ts'
import { WHOLE_PAGES, type PrintedPage } from './whole-pages.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export async function printPages(): Promise<PrintedPage[]> {
  return [
    ...WHOLE_PAGES,
    { path: 'THIRD-PARTY-NOTICES.txt', text: printNotices(ROOT) },
    { path: 'docs/commands.md', text: await commandsPage() },
    { path: 'docs/metrics.md', text: metricsPage() },
    { path: 'docs/pictures/start.svg', text: drawStart() },
    ...(await filledPages()),
  ]
}

/** Pages that may contain blocks. */
export function handWritten(): string[] {
  return globSync(['*.md', 'docs/*.md', 'docs/decisions/README.md'], { cwd: ROOT })
}

async function filledPages(): Promise<PrintedPage[]> {
  const blocks = await printBlocks()
  return handWritten()
    .map((path) => ({ path, text: readFileSync(ROOT + path, 'utf8') }))
    .filter(({ text }) => blocksIn(text).length > 0)
    .map(({ path, text }) => ({ path, text: fillBlocks(text, blocks) }))
}
