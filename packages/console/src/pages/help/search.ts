// Finds sections of Help by words: those in a title count most, then those in a heading, then those in the text.

import { PAGES, type HelpDocument } from './content.ts'
import { plainText, type HelpSection } from './read-sections.ts'

export interface Found {
  page: HelpDocument
  section: HelpSection
  /** Some words around the first match. */
  excerpt: string
}

interface Entry {
  page: HelpDocument
  section: HelpSection
  text: string
  /** What is compared, with its weight. */
  fields: readonly (readonly [text: string, weight: number])[]
}

const MOST = 30
const BEFORE_CHARACTERS = 40
const EXCERPT_CHARACTERS = 180
const entries = new WeakMap<HelpDocument, readonly Entry[]>()

function entriesOf(page: HelpDocument): readonly Entry[] {
  const made = entries.get(page) ?? page.sections.map((section) => makeEntry(page, section))
  entries.set(page, made)
  return made
}

function makeEntry(page: HelpDocument, section: HelpSection): Entry {
  const text = plainText(section.text)
  const isTop = section.level === 1
  const fields = [
    [section.heading.toLowerCase(), isTop ? 12 : 6],
    [page.title.toLowerCase(), isTop ? 0 : 1.5],
    [text.toLowerCase(), 1],
  ] as const
  return { page, section, text, fields }
}

export function wordsIn(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean)
}

/** Sections that have every word, the best first: of docs/, and of the other pages. */
export function findHelp(typed: string, others: readonly HelpDocument[] = []): Found[] {
  const words = wordsIn(typed)
  if (words.length === 0) return []
  return [...PAGES.values(), ...others]
    .flatMap(entriesOf)
    .map((entry) => ({ entry, score: score(words, entry) }))
    .filter(({ score: found }) => found > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ entry: { page, section, text } }) => ({ page, section, excerpt: excerptOf(text, words) }))
}

function score(words: readonly string[], { fields }: Entry): number {
  const scores = words.map((word) => fields.reduce((sum, [text, weight]) => sum + weight * timesIn(text, word), 0))
  return scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one, 0)
}

/** A word's beginning counts twice as much as its inside, and many times little more than once. */
function timesIn(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at === -1) return 0
  const isStart = !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))
  return (isStart ? 2 : 1) + Math.log2(text.split(word).length - 1) / 4
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at !== -1), text.length)
  const start = first === text.length ? 0 : Math.max(0, lower.lastIndexOf(' ', Math.max(first - BEFORE_CHARACTERS, 0)))
  const end = start + EXCERPT_CHARACTERS
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}
