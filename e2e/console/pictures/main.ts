// `npm run pictures`: takes the pictures in docs/pictures, of every page in light, dark and on a phone, and writes the outline of each page. With
// the name of a folder, as in `npm run screenshots`, it only takes the pictures, to look at them there.

import { mkdir, writeFile } from 'node:fs/promises'
import { captureWebP } from '../harness/capture.ts'
import { OUTLINED, OUTLINES, outlineName, PICTURES } from './places.ts'
import { outlineOf } from './outline.ts'
import { LOOKS, walkPages, type Look } from './walk-pages.ts'

/** Good enough to read, and at most 100 KB. */
const QUALITY = 72

const [, , folder = PICTURES] = process.argv

await mkdir(OUTLINES, { recursive: true })
await mkdir(folder, { recursive: true })
await walkPages(Object.keys(LOOKS) as Look[], async (page, name, look) => {
  await writeFile(`${folder}/${name}-${look}.webp`, await captureWebP(page, QUALITY))
  if (folder === PICTURES && OUTLINED.includes(look))
    await writeFile(outlineName(name, look), outlineOf(await page.locator('body').ariaSnapshot()))
  process.stdout.write(`${name}-${look}.webp\n`)
})
