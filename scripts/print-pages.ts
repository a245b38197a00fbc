// `npm run docs`: writes the pages of docs/ that are generated from the code.

import { writeFileSync } from 'node:fs'
import { REFERENCE_PAGES } from './reference-pages.ts'

for (const { path, text } of REFERENCE_PAGES) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
  console.log(path)
}
