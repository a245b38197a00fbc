// Looks into the packages for macOS and Windows that Hearth installs, without running them, and prints a row for each:
//
//   npm run platforms                                       those of the lockfile
//   npm run platforms -- @node-llama-cpp/win-x64@3.21.1     another version
//
// It ends with 1 if a program of one can't run there.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedPackages } from '../pages/notices/shipped-packages.ts'
import { judgePackage } from './judge-package.ts'

const SYSTEM = /\b(darwin|mac|win32|windows|win)\b/
const PROCESSOR = /\b(x64|arm64)\b/

interface Manifest {
  cpu?: string | string[]
}

const asked = process.argv.slice(2)
const rows = (asked.length > 0 ? asked : locked()).map(look)
console.log(
  '| Package | Programs | Oldest system | Signature | Needs | Problems |\n| --- | --- | --- | --- | --- | --- |',
)
for (const { cells } of rows) console.log(`| ${cells.join(' | ')} |`)
if (rows.some(({ isWrong }) => isWrong)) process.exitCode = 1

function locked(): string[] {
  const shipped = shippedPackages(fileURLToPath(new URL('../../', import.meta.url)))
  const builds = shipped.filter(({ name, isBuild }) => isBuild && SYSTEM.test(name) && PROCESSOR.test(name))
  return builds.map(({ name, version }) => `${name}@${version}`)
}

function look(name: string): { cells: string[]; isWrong: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-platforms-'))
  try {
    const packed = spawnSync('npm', ['pack', '--silent', '--json', name], { cwd: folder, encoding: 'utf8' })
    if (packed.status !== 0) return { cells: [name, 'the registry doesn’t have it', '', '', '', ''], isWrong: false }
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
    execFileSync('tar', ['-xzf', filename], { cwd: folder })
    const { cpu } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')) as Manifest
    const processor = [cpu].flat()[0] ?? PROCESSOR.exec(name)?.[1] ?? 'x64'
    const { files, minimum, signature, needs, problems } = judgePackage(join(folder, 'package'), processor)
    const cells = [name, `${files}, ${processor}`, minimum, signature, needs.join(', '), problems.join('; ')]
    return { cells, isWrong: problems.length > 0 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
