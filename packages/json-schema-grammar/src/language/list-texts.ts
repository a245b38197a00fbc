// The texts of a language that has only a few, such as `^(left|right)$`: a list of values is easier
// to compare than automata are.

import type { Language } from './language.ts'

const MOST_TEXTS = 64
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** Undefined if there are many, or if it isn't plain to see. */
export function listTexts(language: Language): readonly string[] | undefined {
  switch (language.type) {
    case 'none':
      return []
    case 'empty':
      return ['']
    case 'characters':
      return listCharacters(language)
    case 'sequence':
      return language.parts.reduce<readonly string[] | undefined>(
        (begun, part) => {
          const next = begun && listTexts(part)
          return next && few(begun.length * next.length, () => begun.flatMap((text) => next.map((end) => text + end)))
        },
        [''],
      )
    case 'choice': {
      const lists = language.options.map(listTexts)
      return lists.every((list) => list !== undefined) ? few(lists.flat().length, () => lists.flat()) : undefined
    }
    case 'repeat':
    case 'all':
    case 'not':
    case 'length':
      return undefined
    default:
      return language satisfies never
  }
}

function listCharacters({ ranges }: Extract<Language, { type: 'characters' }>): readonly string[] | undefined {
  const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  const codes = few(count, () =>
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  )
  return codes?.some(isSurrogate) === false ? codes.map((code) => String.fromCodePoint(code)) : undefined
}

function few<Item>(count: number, list: () => readonly Item[]): readonly Item[] | undefined {
  return count > MOST_TEXTS ? undefined : list()
}
