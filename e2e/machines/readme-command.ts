// What the README says a new user types to run Hearth. It installs first; its last part starts Hearth.

import { readPages } from '../docs/read-pages.ts'

const readme = readPages().find(({ path }) => path === 'README.md')!
const run = readme.blocks.find(({ language, line }) => language === 'sh' && line > lineOf('## Run it'))!
const parts = run.text.trim().split(' && ')

export const INSTALL = parts.slice(0, -1).join(' && ')
export const START = parts.at(-1)!

function lineOf(title: string): number {
  return readme.text.split('\n').indexOf(title)
}
