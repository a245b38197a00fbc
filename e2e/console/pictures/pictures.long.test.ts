// If a page looks different than its picture: take new ones with `npm run pictures`, and look at them.

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { outlineOf } from './outline.ts'
import { OUTLINED, outlineName } from './places.ts'
import { walkPages } from './walk-pages.ts'

it('every page of the console has what its picture in docs/pictures shows', async () => {
  await walkPages(OUTLINED, async (page, name, look) => {
    const shown = outlineOf(await page.locator('body').ariaSnapshot())
    const checkedIn = await readFile(outlineName(name, look), 'utf8')
    expect.soft(shown, `${name}-${look}: take new pictures with npm run pictures`).toBe(checkedIn)
  })
})
