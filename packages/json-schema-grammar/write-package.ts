// The last step of `npm run build`: puts what is not code beside it, so that the folder is the package as others install it. Their
// Node strips no types, so its exports are JavaScript.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = 'dist'] = process.argv.slice(2)
const here = (name: string) => new URL(name, import.meta.url)

const own = JSON.parse(readFileSync(here('package.json'), 'utf8')) as Record<string, unknown>
const { scripts: _scripts, devDependencies: _devDependencies, ...kept } = own
const exports = { '.': { types: './index.d.ts', default: './index.js' } }
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...kept, exports }, null, 2)}\n`)
copyFileSync(here('README.md'), join(folder, 'README.md'))
copyFileSync(here('../../LICENSE'), join(folder, 'LICENSE'))
