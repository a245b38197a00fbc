import { describe, expect, it } from 'vitest'
import { findUnknown } from './known-commands.ts'
import { readPages, readSpans } from './read-pages.ts'

/** Joins a command that is written over several lines. */
function linesOf(text: string): string[] {
  return text.replaceAll(/\\\n\s*/g, '').split('\n')
}

describe.each(readPages())('$path', (page) => {
  it('[R12] names only commands and flags that exist', async () => {
    const lines = [...page.blocks.flatMap(({ text }) => linesOf(text)), ...readSpans(page)]
    const unknown: string[] = []
    for (const line of lines) {
      const found = await findUnknown(line)
      if (found !== undefined) unknown.push(`${found} in: ${line}`)
    }
    expect(unknown).toStrictEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['npx hearth admin key create laptop', undefined],
    ['npx hearth admin key creat laptop', 'admin key creat'],
    ['npx hearth admin key create laptop --forever', 'admin key create --forever'],
    ['npx hearth logs --follow', undefined],
    ['npx hearth opne', 'hearth opne'],
    ['hearth open --prnt', 'hearth open --prnt'],
    ['npx hearth start --modle x', 'hearth start --modle'],
    ['npx hearth device strat', 'hearth-device strat'],
    ['npm run gatway', 'npm run gatway'],
    ['npm ci && npm start -- --modle x', 'npm start --modle'],
    ['$ hearth-device models pull starter --as chat', undefined],
    ['hearth-device models pull starter --name chat', 'hearth-device models pull --name'],
    ['hearth-device strat', 'hearth-device strat'],
    ['HOST=0.0.0.0 npm exec --yes --package=x -- hearth-device-install x --tokn y', 'hearth-device-install --tokn'],
    ['docker compose up', undefined],
  ])('[R12] %s', async (line, unknown) => {
    expect(await findUnknown(line)).toBe(unknown)
  })
})
