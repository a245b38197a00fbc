import { expect, it } from 'vitest'
import { newSigningKey } from './key-pair.ts'
import { readSealText, sealText } from './seal-text.ts'

const { publicKey } = newSigningKey()

it('reads what it wrote', () => {
  expect(readSealText(sealText(publicKey, 'hs'))).toEqual({ kind: 'hs', publicKey })
  expect(readSealText(` ${sealText(publicKey, 'ha')}\n`)).toEqual({ kind: 'ha', publicKey })
})

it('is 51 characters long', () => {
  expect(sealText(publicKey, 'hs')).toMatch(/^hs-[\w-]{48}$/)
})

it('notices every wrong, missing, doubled or swapped character', () => {
  const text = sealText(publicKey, 'hs')
  for (let at = 0; at < text.length; at++) {
    const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
    const wrong = [
      `${before}${here === 'x' ? 'y' : 'x'}${after}`,
      `${before}${after}`,
      `${before}${here}${here}${after}`,
    ]
    if (at > 0 && text.charAt(at - 1) !== here)
      wrong.push(`${text.slice(0, at - 1)}${here}${text.charAt(at - 1)}${after}`)
    for (const typo of wrong) expect(readSealText(typo), typo).toBeUndefined()
  }
})

it('reads nothing else', () => {
  for (const text of ['', 'hs-', 'hs', publicKey, `hx-${publicKey}`, 'hs-'.repeat(100_000)]) {
    expect(readSealText(text)).toBeUndefined()
  }
})
