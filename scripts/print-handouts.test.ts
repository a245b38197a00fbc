import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('print-handouts.ts', import.meta.url))

it('writes each program with its bill of materials, and prints its checksum', () => {
  const folder = join(scratchFolder(), 'new')
  const printed = execFileSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' }).trim().split('\n')
  const programs = printed.map((line) => /^([0-9a-f]{64}) {2}(\S+) \d+\.\d+\.\d+$/.exec(line)!.slice(1))
  expect(programs.map(([, name]) => name)).toStrictEqual(['hearth-device', 'hearth-seal'])
  for (const [sha256, name] of programs) {
    const archive = readFileSync(join(folder, `${name}.tgz`))
    expect(createHash('sha256').update(archive).digest('hex')).toBe(sha256)
    expect(readFileSync(join(folder, `${name}.cdx.json`), 'utf8')).toContain(`"${sha256}"`)
  }
})
