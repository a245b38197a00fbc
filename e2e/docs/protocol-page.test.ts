// docs/protocol.md is all that somebody who writes a device has. What it says of frames is compared with the golden frames, which have every
// field of every frame, and its other tables with their constants.

import { readFileSync } from 'node:fs'
import { API_ERRORS } from '@hearth/chat'
import { CLOSE, FEATURES, fieldNeeds, isSealed, type ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { CONVERSATION, GOLDEN, REQUESTS } from '../../packages/protocol/src/testing/golden-frames.ts'
import { ROOT } from './read-pages.ts'

interface Section {
  title: string
  text: string
}

const page = readFileSync(`${ROOT}docs/protocol.md`, 'utf8')
const sections: Section[] = page.split(/^#{2,3} /m).map((text) => ({ title: text.slice(0, text.indexOf('\n')), text }))
/** They are called like their frames: `ping`, `pong`. */
const frameSections = sections.filter(({ title }) => /^`[a-z-]+`(, `[a-z-]+`)*$/.test(title))

function sectionOf(title: string): Section {
  return sections.find((section) => section.title === title) ?? expect.unreachable(`there is no section "${title}"`)
}

function wordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

/** The cells of each row that begins with a word of the code. */
function rowsOf({ text }: Section): string[][] {
  const rows = [...text.matchAll(/^\| `.*$/gm)]
  return rows.map(([row]) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  )
}

function namesIn(section: Section): string[] {
  return rowsOf(section).map(([first = '']) => first.replaceAll('`', ''))
}

/** How often each field is there, by its path: `models[].name`. */
type Fields = ReadonlyMap<string, number>

/** Clients make up what is in them. */
const OPEN = new Set(['request.logitBias', 'request.responseFormat.schema', 'request.tools[].parameters'])
const IN_EVERY_FRAME = new Set(['type', 'job', 'attempt', ''])

function countFields(values: readonly unknown[]): Fields {
  const fields = new Map<string, number>()
  const visit = (value: unknown, path: string): void => {
    fields.set(path, (fields.get(path) ?? 0) + 1)
    if (Array.isArray(value)) value.forEach((item) => visit(item, `${path}[]`))
    else if (typeof value === 'object' && value !== null && !OPEN.has(path))
      for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`)
  }
  values.forEach((value) => visit(value, ''))
  return fields
}

const fieldsOf = new Map(
  GOLDEN.map(({ type, examples }) => [type, countFields(examples.map(({ wire, frame = wire }) => frame))]),
)

/** Of all frames of the section. */
function pathsIn({ title }: Section): string[] {
  const paths = wordsIn(title).flatMap((type) => [...(fieldsOf.get(type)?.keys() ?? [])])
  return [...new Set(paths.map((path) => path.replace(/(\[\])+$/, '')))].filter((path) => !IN_EVERY_FRAME.has(path))
}

/** Without objects and lists that have fields of their own. */
function leavesOf(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[].`)))
}

/** In some object that could have it. */
function isSometimesAbsent(type: string, path: string): boolean {
  const fields = fieldsOf.get(type) ?? new Map<string, number>()
  const count = fields.get(path) ?? 0
  return count > 0 && count < (fields.get(path.slice(0, Math.max(0, path.lastIndexOf('.')))) ?? 0)
}

describe('docs/protocol.md', () => {
  it('explains every frame, each in one place', () => {
    expect(frameSections.flatMap(({ title }) => wordsIn(title)).toSorted()).toEqual(
      GOLDEN.map(({ type }) => type).toSorted(),
    )
  })

  it.each(frameSections)('explains every field of $title, and no other', (section) => {
    const paths = pathsIn(section).filter((path) => !path.startsWith('request.'))
    const names = namesIn(section).filter((name) => !isErrorCode(name))
    expect(names.filter((name) => !paths.includes(name))).toEqual([])
    expect(leavesOf(paths).filter((path) => !names.includes(path))).toEqual([])
  })

  it.each(frameSections)('says which fields of $title are optional', (section) => {
    const required = rowsOf(section).filter(([, type = '']) => !type.startsWith('optional'))
    const wrong = required
      .map(([name = '']) => name.replaceAll('`', ''))
      .filter((name) => wordsIn(section.title).some((type) => isSometimesAbsent(type, name)))
    expect(wrong).toEqual([])
  })

  it.each(frameSections)('shows $title as on the wire', ({ text }) => {
    const real: unknown[] = [
      ...GOLDEN.flatMap(({ examples }) => examples.map(({ wire }) => wire)),
      ...CONVERSATION.flatMap(({ wire }) => wire),
    ]
    for (const [, example = ''] of text.matchAll(/```json\n([^]*?)```/g))
      expect(real).toContainEqual(JSON.parse(example))
  })

  it('says with which status a client gets each error', () => {
    const rows = rowsOf(sectionOf('`job-error`')).filter(([code = '']) => isErrorCode(wordsIn(code)[0] ?? ''))
    const statuses = rows.map(([code = '', , gets = '']) => [wordsIn(code)[0], Number.parseInt(gets)])
    const known = new Map(Object.entries({ ...API_ERRORS, failed: API_ERRORS.server_error }))
    expect(statuses).toEqual(statuses.map(([code]) => [code, known.get(String(code))?.status]))
    expect(statuses.length).toBeGreaterThan(5)
  })

  it('explains every field of a request, and the features that it needs', () => {
    const section = sectionOf('The request')
    const paths = pathsIn({ title: '`job-start`', text: '' }).filter((path) => path.startsWith('request.'))
    const fields = leavesOf(paths).map((path) => path.replace('request.', ''))
    expect(namesIn(section).toSorted()).toEqual(fields.toSorted())
    expect(featuresOnPage(section)).toEqual(featuresNeeded())
  })

  it('explains every feature', () => {
    expect(namesIn(sectionOf('Features'))).toEqual(FEATURES)
  })

  it('explains every word that can be in a frame', () => {
    const words = [...fieldsWithWords()]
    const explained = new Set(wordsIn(page.replaceAll(/```[^]*?```/g, '')))
    expect(words.filter((word) => !explained.has(word))).toEqual([])
  })

  it('explains every code with which a link is closed', () => {
    const rows = [...sectionOf('Close codes').text.matchAll(/^\| ([\d, ]+) +\|/gm)]
    const explained = rows.flatMap(([, codes = '']) => codes.split(',').map(Number))
    expect(explained).toEqual([...Object.values(CLOSE), ...OF_THE_LIBRARY].toSorted((one, other) => one - other))
  })

  it('shows the golden conversation, line by line', () => {
    const shown = sectionOf('A conversation').text.match(/```text\n([^]*?)\n```/)?.[1]
    expect(shown?.split('\n')).toEqual(
      CONVERSATION.map(({ from, wire }) => `${from.padEnd(7)} → ${JSON.stringify(wire)}`),
    )
  })
})

/** The WebSocket library closes with them on its own. */
const OF_THE_LIBRARY = [1002, 1007, 1008, 1009]

/** `job-error` has a second table. */
function isErrorCode(name: string): boolean {
  return GOLDEN.some(({ examples }) => examples.some(({ wire }) => wire.type === 'job-error' && wire.code === name))
}

type FeaturesByField = Record<string, string[]>

/** Of sealed requests, nobody but the device knows the fields. */
function featuresOnPage(section: Section): FeaturesByField {
  const features: FeaturesByField = {}
  for (const [name = '', , needs = ''] of rowsOf(section)) {
    const field = name.replaceAll('`', '').replace(/[.[].*/, '')
    for (const feature of wordsIn(needs)) if (feature !== 'sealed') add(features, field, feature)
  }
  return features
}

function featuresNeeded(): FeaturesByField {
  const features: FeaturesByField = {}
  for (const request of REQUESTS)
    if (!isSealed(request))
      for (const field of Object.keys(request) as (keyof ChatJob)[])
        for (const { feature } of fieldNeeds(request, field)) add(features, field, feature)
  return features
}

function add(features: FeaturesByField, field: string, feature: string): void {
  features[field] = [...new Set([...(features[field] ?? []), feature])].toSorted()
}

const WORDS = new Set(['reason', 'code', 'phase', 'finishes', 'role', 'state', 'parts'])

function fieldsWithWords(): Set<string> {
  const words = new Set<string>()
  for (const { examples } of GOLDEN)
    for (const { wire, frame = wire } of examples)
      JSON.stringify(frame, (name, value: unknown) => {
        if (WORDS.has(name)) for (const word of [value].flat()) if (typeof word === 'string') words.add(word)
        return value
      })
  return words
}
