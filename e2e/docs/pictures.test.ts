import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ROOT } from './read-pages.ts'

const FOLDER = `${ROOT}docs/pictures`
const LOOKS = ['light', 'dark', 'phone']
const pages = new Set(globSync('*.webp', { cwd: FOLDER }).map((file) => file.replace(/-[a-z]+\.webp$/, '')))

it('every page has a picture in each look, and all are in the list', () => {
  const list = readFileSync(`${FOLDER}/README.md`, 'utf8')
  const expected = [...pages].flatMap((page) => LOOKS.map((look) => `${page}-${look}.webp`))
  expect(globSync('*.webp', { cwd: FOLDER }).toSorted()).toStrictEqual(expected.toSorted())
  expect(expected.filter((file) => !list.includes(`(${file})`))).toStrictEqual([])
})

it('every page has an outline, and no outline is left over', () => {
  const outlined = globSync('*.txt', { cwd: `${FOLDER}/outlines` })
  const expected = [...pages].flatMap((page) => [`${page}-light.txt`, `${page}-phone.txt`])
  expect(outlined.toSorted()).toStrictEqual(expected.toSorted())
})
