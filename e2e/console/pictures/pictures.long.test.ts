// If a page looks different than its picture: take new ones with `npm run pictures`, and look at them.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { outlineOf } from './outline.ts'
import { OUTLINED, outlineName } from './places.ts'
import { walkPages } from './walk-pages.ts'

const LOOK_MS = 250
/** Charts and lists arrive late on a busy machine. */
const LOOKS = 120

/** Looks again until the page has this outline; returns the last one. */
async function lookFor(outline: string, page: Page): Promise<string> {
  for (let look = 1; ; look++) {
    const shown = outlineOf(await page.locator('body').ariaSnapshot())
    if (shown === outline || look === LOOKS) return shown
    await page.waitForTimeout(LOOK_MS)
  }
}

it('every page of the console has what its picture in docs/pictures shows', async () => {
  await walkPages(OUTLINED, async (page, name, look) => {
    const checkedIn = await readFile(outlineName(name, look), 'utf8')
    const shown = await lookFor(checkedIn, page)
    expect.soft(shown, `${name}-${look}: take new pictures with npm run pictures`).toBe(checkedIn)
  })
})
