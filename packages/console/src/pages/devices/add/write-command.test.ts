import { describe, expect, it } from 'vitest'
import { isPlainWord, SYSTEMS, writeCommand } from './write-command.ts'

const COMMAND = 'npm exec --yes --package=https://a/installer.tgz -- hearth-device-install https://a'
const [unix, windows] = SYSTEMS

describe('the install command', () => {
  it('ends with the options that were chosen', () => {
    expect(writeCommand(COMMAND, unix!, { isService: false, model: ' ' })).toBe(COMMAND)
    expect(writeCommand(COMMAND, unix!, { isService: true, model: ' qwen3:8b ' })).toBe(
      `${COMMAND} --model qwen3:8b --service`,
    )
  })

  it('names the npm that PowerShell passes everything to', () => {
    expect(writeCommand(COMMAND, windows!, { isService: false, model: '' })).toBe(COMMAND.replace('npm', 'npm.cmd'))
  })

  it('takes only models that need no quotes in any shell', () => {
    for (const name of ['qwen3:8b', 'hf:owner/Name-GGUF:Q4_K_M', 'https://host.example/a/b.gguf'])
      expect(isPlainWord(name)).toBe(true)
    for (const name of ['a b', '-x', '$(id)', 'a;b', 'a%b%', "a'b", 'a&b', '~/a', 'a\\b', ''])
      expect(isPlainWord(name)).toBe(false)
  })
})
