// Text from a flag, the environment or the settings file into a value. Each throws an Error that says what would be right.

import { FEATURES, isFeature, type Feature } from '@hearth/protocol'

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max)
      throw new Error(`a whole number from ${min} to ${max} is expected`)
    return value
  }
}

export function oneOf<Word extends string>(...words: Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) throw new Error(`one of ${words.join(', ')} is expected`)
    return word
  }
}

export function yesOrNo(text: string): boolean {
  if (['true', 'yes', 'on', '1'].includes(text)) return true
  if (['false', 'no', 'off', '0'].includes(text)) return false
  throw new Error('true or false is expected')
}

export function features(text: string): Feature[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      if (!isFeature(name)) throw new Error(`"${name}" is no feature; there are ${FEATURES.join(', ')}`)
      return name
    })
}

export function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error('an address that begins with https:// is expected')
  return url
}
