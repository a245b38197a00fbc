// THIRD-PARTY-NOTICES.txt: whose work Hearth contains or installs, and under which licenses. The same on every machine.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { carried, type Carried } from './carried.ts'
import { shippedPackages, type ShippedPackage } from './shipped-packages.ts'

const LINE = '-'.repeat(78)
const INTRODUCTION = `Third-party notices

Hearth itself is under the MIT license (LICENSE). This file names the work of
others that it contains or installs, with their licenses. npm run docs writes it.`

export function printNotices(root: string): string {
  const packages = shippedPackages(root)
  const parts = [
    INTRODUCTION,
    title('Programs, fonts and models'),
    ...carried(root).map(printCarried),
    title('Packages for one kind of machine'),
    'Each is under the license of the package or program above or below that it is a build of.',
    packages
      .filter(({ isBuild }) => isBuild)
      .map(nameOf)
      .join('\n'),
    title('Packages'),
    ...byText(
      root,
      packages.filter(({ isBuild }) => !isBuild),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function title(text: string): string {
  return `${'='.repeat(78)}\n${text}\n${'='.repeat(78)}`
}

function printCarried({ name, where, license, text }: Carried): string {
  return [`${name}\n  in: ${where}\n  license: ${license}`, ...(text === undefined ? [] : [text.trim(), LINE])].join(
    '\n\n',
  )
}

/** Packages with the same text share it. */
function byText(root: string, packages: readonly ShippedPackage[]): string[] {
  const groups = Map.groupBy(packages, ({ place, license }) => textIn(root + place) ?? `License: ${license}`)
  return [...groups].map(([text, same]) => `${same.map(nameOf).join('\n')}\n\n${text}\n\n${LINE}`)
}

function nameOf({ name, version, license }: ShippedPackage): string {
  return `${name} ${version}${license === '' ? '' : ` (${license})`}`
}

/** Undefined if the package has none. */
function textIn(folder: string): string | undefined {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: run npm ci`)
  const files = globSync('*', { cwd: folder }).filter((name) => /^(licen[cs]e|copying|notice)(?!.*\.[jt]s)/i.test(name))
  const texts = files.toSorted().map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  return texts.length === 0 ? undefined : texts.map((text) => text.replaceAll(/\r\n?/g, '\n').trim()).join('\n\n')
}
