import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { SHELLS } from '../commands/program.ts'
import { readCommandTree } from './command-tree.ts'
import { printCompletion } from './completion.ts'

/** The words that Bash offers after this line. */
function complete(...words: string[]): string[] {
  const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hearth; printf "%s\\n" "${COMPREPLY[@]}"'
  const script = `${printCompletion('bash')}\n${ask}`
  return execFileSync('bash', ['-c', script, 'bash', 'hearth', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('completions', () => {
  it('know every command and its flags, of all tools', () => {
    const tree = readCommandTree()
    const words = (path: string) => tree.get(path)?.map(({ word }) => word)
    expect(words('')).toEqual(
      expect.arrayContaining(['start', 'status', 'stop', 'restart', 'uninstall', 'device', 'admin', 'completion']),
    )
    expect(words('start')).toEqual(expect.arrayContaining(['--model', '--port', '--help']))
    expect(words('device models pull')).toEqual(expect.arrayContaining(['--as', '--help']))
    expect(words('admin key create')).toEqual(expect.arrayContaining(['--expires-in', '--data']))
    expect(words('seal approve')).toEqual(expect.arrayContaining(['--yes', '--gateway']))
    expect(words('device login')).not.toContain('--installing')
  })

  it('work in Bash', () => {
    expect(complete('sta')).toStrictEqual(['start', 'status'])
    expect(complete('device', 'models', 'p')).toStrictEqual(['pull'])
    expect(complete('device', '--home', '/tmp', 'pau')).toStrictEqual(['pause'])
    expect(complete('admin', 'key', 'create', 'laptop', '--exp')).toStrictEqual(['--expires-in'])
  })

  it.each(SHELLS)('name every command for %s', (shell) => {
    const script = printCompletion(shell)
    for (const path of readCommandTree().keys()) expect(script).toContain(path)
  })
})
