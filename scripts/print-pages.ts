// `npm run docs`: writes the pages of docs/ that are generated from the code, and the blocks in other pages.

import { writeFileSync } from 'node:fs'
import { printPages, ROOT } from './pages/printed-pages.ts'

// Help texts break their lines to fit the terminal.
process.stdout.columns = 80

for (const { path, text } of await printPages()) {
  writeFileSync(ROOT + path, text)
  console.log(path)
}
