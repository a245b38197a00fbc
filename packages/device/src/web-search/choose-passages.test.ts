import { describe, expect, it } from 'vitest'
import { choosePassages } from './choose-passages.ts'

describe('choosePassages', () => {
  it('takes what matches the question, in order, within the limit', () => {
    const line = (word: string): string => `${word} `.repeat(60).trim()
    const text = [line('alpha'), line('saga'), line('beta'), line('saga')].join('\n')
    const chosen = choosePassages(text, 'Who wrote the saga?', 620)
    expect(
      chosen
        .replace(/ … /g, ' ')
        .split(' ')
        .every((word) => word === 'saga'),
    ).toBe(true)
    expect(chosen.length).toBeLessThanOrEqual(620)
  })

  it('takes the start if nothing matches', () => {
    expect(choosePassages('first words\nother words', 'zzz', 11)).toBe('first words')
  })
})
