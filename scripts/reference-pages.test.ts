import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { REFERENCE_PAGES } from './reference-pages.ts'

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
}

describe('pages printed from the code', () => {
  it.each(REFERENCE_PAGES)('[O6] $path is what npm run docs would print', ({ path, text }) => {
    expect(read(path)).toBe(text)
  })
})

describe('docs/protocol.md', () => {
  it('shows the golden conversation, line by line', () => {
    const golden: { from: string; wire: unknown }[] = JSON.parse(
      read('packages/protocol/src/fixtures/v1/conversation.json'),
    )
    const shown = read('docs/protocol.md').match(/```text\n(device .*?)\n```/s)?.[1]
    expect(shown?.split('\n')).toEqual(golden.map(({ from, wire }) => `${from.padEnd(7)} → ${JSON.stringify(wire)}`))
  })
})
