import { describe, expect, it } from 'vitest'
import { listing, withoutEscapeCodes } from './terminal.ts'

describe('a terminal', () => {
  it('shows escape codes in what it prints instead of obeying them', () => {
    const printed: string[] = []
    const output = { write: (text: string) => printed.push(text) }
    const terminal = withoutEscapeCodes({ environment: {}, stdout: output, stderr: output })
    terminal.stdout.write('first\u001B[2J\nsecond')
    terminal.stderr.write('\u009B31mred')
    expect(printed).toEqual([String.raw`first\u001b[2J` + '\nsecond', String.raw`\u009b31mred`])
  })

  it('keeps every cell of a table on its line', () => {
    const { text } = listing([{ app: '1.0\n\u001B[1Aforged' }], { APP: ({ app }) => app })
    expect(text).toBe('APP\n' + String.raw`1.0\u000a\u001b[1Aforged`)
  })
})
