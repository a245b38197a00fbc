// Parses text from a flag, the environment or the settings file. Each parser throws an Error that says which values are valid.

import { FEATURES, isFeature, type Feature } from '@hearth/protocol'

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max)
      throw new Error(`use a whole number from ${min} to ${max}`)
    return value
  }
}

export function oneOf<Word extends string>(...words: Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) throw new Error(`use one of ${words.join(', ')}`)
    return word
  }
}

export function yesOrNo(text: string): boolean {
  if (['true', 'yes', 'on', '1'].includes(text)) return true
  if (['false', 'no', 'off', '0'].includes(text)) return false
  throw new Error('use true or false')
}

export function features(text: string): Feature[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      if (!isFeature(name)) throw new Error(`"${name}" is not a feature; the features are ${FEATURES.join(', ')}`)
      return name
    })
}

export function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error('use a URL that starts with https:// or http://')
  return url
}

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, MIB: 2 ** 20, GIB: 2 ** 30 }

/** In bytes. */
export function memorySize(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([MG]i?B)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit?.toUpperCase() ?? '']
  if (amount === undefined || factor === undefined) throw new Error('write a size like 12GB or 800MB')
  return Math.round(Number(amount) * factor)
}

export function showSize(bytes: number): string {
  return bytes % 1e9 === 0 ? `${bytes / 1e9}GB` : `${Math.round(bytes / 1e6)}MB`
}
