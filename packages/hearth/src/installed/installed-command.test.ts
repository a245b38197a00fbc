import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { versionOf } from '@hearth/command-line/version'
import { beforeEach, describe, expect, it } from 'vitest'
import ownPackage from '../../package.json' with { type: 'json' }
import { commandToPrint } from './command-to-print.ts'
import { bundledPath, installCommand, installedPath, isInstalled, removeCommand } from './installed-command.ts'

let home: string
let environment: Record<string, string>
let path: string

beforeEach(() => {
  home = join(scratchFolder(), "it's home")
  mkdirSync(home)
  environment = { HOME: home, LOCALAPPDATA: home, PATH: process.env['PATH'] ?? '' }
  path = installedPath(environment)
})

function writeProgram(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
}

describe('the installed command', () => {
  it('runs this Hearth in any folder, with its own Node', () => {
    expect(installCommand(environment)).toBeUndefined()
    expect(statSync(path).mode & 0o777).toBe(0o755)
    expect(execFileSync(path, ['--version'], { cwd: home, env: { HOME: home }, encoding: 'utf8' })).toBe(
      `${versionOf(ownPackage)}\n`,
    )
  })

  it('is where the user wants programs to be', () => {
    expect(installedPath({ HOME: '/home/ann' })).toBe('/home/ann/.local/bin/hearth')
    expect(installedPath({ HOME: '/home/ann', XDG_BIN_HOME: '/opt/ann' })).toBe('/opt/ann/hearth')
  })

  it('says plainly that its Hearth is gone, and what to do', () => {
    installCommand(environment)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^main=.*$/m, "main='/gone/main.ts'"))
    const { status, stderr } = spawnSync(path, ['status'], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/not there any more[^]*npm ci[^]*npm start[^]*rm /)
    expect(installCommand(environment)).toBeUndefined()
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toBe(`${versionOf(ownPackage)}\n`)
  })

  it('never takes the place of another program or of a link', () => {
    writeProgram(path)
    expect(installCommand(environment)).toContain('another program')
    expect(removeCommand(environment)).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('#!/bin/sh\n')
    rmSync(path)
    symlinkSync(join(home, 'nowhere'), path)
    expect(installCommand(environment)).toContain('another program')
  })

  it('says why it could not be written, and Hearth runs without it', () => {
    writeFileSync(join(home, '.local'), '')
    expect(installCommand(environment)).toMatch(/could not be installed: .*\.local/)
    expect(isInstalled(environment)).toBe(false)
  })

  it('is removed, and nothing with it', () => {
    installCommand(environment)
    writeProgram(join(dirname(path), 'other'))
    expect(removeCommand(environment)).toBe(true)
    expect(isInstalled(environment)).toBe(false)
    expect(removeCommand(environment)).toBe(false)
    expect(statSync(join(dirname(path), 'other')).isFile()).toBe(true)
  })
})

describe('the command that is printed', () => {
  const print = (...folders: string[]) => commandToPrint({ ...environment, PATH: folders.join(delimiter) })

  it('is the word alone only where it runs ours', () => {
    installCommand(environment)
    const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`
    expect(print('/usr/bin')).toBe(quoted)
    expect(print('/usr/bin', dirname(path))).toBe('hearth')
    const foreign = join(home, 'foreign')
    writeProgram(join(foreign, 'hearth'))
    expect(print(foreign, dirname(path))).toBe(quoted)
    chmodSync(join(foreign, 'hearth'), 0o644)
    expect(print(foreign, dirname(path))).toBe('hearth')
  })

  it('does not count on the folders that npm adds for a script', () => {
    installCommand(environment)
    const ofNpm = join(home, 'node_modules', '.bin')
    writeProgram(join(ofNpm, 'hearth'))
    expect(print(ofNpm, dirname(path))).toBe('hearth')
    expect(print(ofNpm)).not.toBe('hearth')
  })

  it('is the path of the one that npm put into this checkout, where none is installed', () => {
    const seen = execFileSync('sh', ['-c', `printf %s ${print(dirname(path))}`], { encoding: 'utf8' })
    expect(seen).toBe(bundledPath())
  })
})
