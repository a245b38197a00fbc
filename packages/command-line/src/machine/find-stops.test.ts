import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { DEBIAN, FIRST_START, FOLDER, standInMachine } from '../testing/stand-in-machine.ts'
import { findStops, sentenceOf, type Machine } from './find-stops.ts'
import { FOLDERS_HERE } from './folders.ts'
import { canLoad, LIBRARIES, missingOnWindows } from './libraries.js'
import { readSystem } from './system.js'

function stopsOf(on: Machine, needs = FIRST_START): string[] {
  return findStops(needs, on).map((stop) => `${stop.code}: ${sentenceOf(stop)}`)
}

const saidOn = (...question: Parameters<typeof stopsOf>) => stopsOf(...question).join()

describe('a machine that cannot run Hearth', () => {
  it('is one without a shared library; the sentence has the command of its distribution', () => {
    const lacking = (release: string, missing = ['libatomic.so.1'], isRoot = false) =>
      saidOn(standInMachine({ missing, release, isRoot }))
    expect(lacking(DEBIAN)).toBe(
      'missing-library: This machine has no libatomic.so.1, which Node needs. Install what is missing: sudo apt update && sudo apt install libatomic1',
    )
    expect(lacking('ID=ubuntu\nID_LIKE=debian\n', undefined, true)).toMatch(/: apt update && apt install libatomic1$/)
    expect(lacking('ID="rocky"\nID_LIKE="rhel centos fedora"\n')).toMatch(/: sudo dnf install libatomic$/)
    expect(lacking('ID=arch\n', LIBRARIES)).toMatch(/: sudo pacman -S gcc-libs$/)
    expect(lacking('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n')).toMatch(/: sudo zypper install libatomic1$/)
    expect(lacking('ID=other\n')).toMatch(/Install the packages of your system that contain libatomic\.so\.1$/)
  })

  it('is one with Windows, but without Microsoft’s C++ runtime, if PostgreSQL or the engine runs there', () => {
    const windows = { platform: 'win32', arch: 'x64', glibc: undefined, release: '' }
    const lacking = standInMachine({ ...windows, missing: ['msvcp140.dll'] })
    expect(stopsOf(lacking)).toEqual([
      "missing-library: This machine has no msvcp140.dll, which PostgreSQL and the engine need. Install Microsoft's Visual C++ Redistributable: winget install --exact --id Microsoft.VCRedist.2015+.x64",
    ])
    expect(stopsOf(lacking, { ...FIRST_START, parts: { runsModels: false, hasDatabase: false } })).toEqual([])
    expect(stopsOf(standInMachine(windows))).toEqual([])
    const folder = scratchFolder()
    for (const name of ['vcruntime140.dll', 'vcruntime140_1.dll']) writeFileSync(join(folder, name), '')
    expect(missingOnWindows(folder)).toEqual(['msvcp140.dll'])
  })

  it('is one whose libraries are too old for the engine, which Hearth can do without, or for Node', () => {
    const old = standInMachine({ glibc: '2.31' })
    expect(stopsOf(old)).toEqual([
      'old-system: The engine needs glibc 2.34, and this system has 2.31. Use a newer system: Debian 12, Ubuntu 22.04, Fedora 36, RHEL 10 or later. Without models, Hearth runs here: npm start -- --no-device',
    ])
    expect(stopsOf(old, { ...FIRST_START, parts: { runsModels: false, hasDatabase: true } })).toEqual([])
    expect(saidOn(old, { ...FIRST_START, parts: { runsModels: true, hasDatabase: false } })).toMatch(/or later$/)
    expect(saidOn(standInMachine({ hasNewStandardLibrary: false }))).toMatch(/needs the C\+\+ library of GCC 12/)
    expect(saidOn(standInMachine({ glibc: '2.17' }))).toMatch(/Node needs glibc 2\.28, and this system has 2\.17/)
  })

  it('is one with musl', () => {
    expect(saidOn(standInMachine({ glibc: undefined }))).toMatch(/^musl: .* as Alpine does\. Use a machine/)
    expect(stopsOf(standInMachine({ glibc: undefined, platform: 'darwin', arch: 'arm64' }))).toEqual([])
  })

  it('is one with a processor that the engine or the database was not built for', () => {
    const small = standInMachine({ arch: 'arm' })
    expect(saidOn(small)).toMatch(/^unsupported-processor: Hearth has no engine for linux on arm\. Use a 64-bit/)
    const parts = { runsModels: false, hasDatabase: true }
    expect(saidOn(small, { ...FIRST_START, parts })).toMatch(/has no database for linux on arm/)
    expect(stopsOf(small, { ...FIRST_START, parts: { runsModels: false, hasDatabase: false } })).toEqual([])
  })

  it('is one with a full disk; folders on one disk share its room', () => {
    expect(stopsOf(standInMachine({}, { freeBytes: 60e6 }))).toEqual([
      'no-disk: The disk of /srv/hearth is too full: 250 MB needed, 60.0 MB free. Free up space, or choose another folder with --data',
    ])
    const elsewhere = standInMachine({})
    elsewhere.folders.look = (path) => ({ ...FOLDER, freeBytes: 200e6, disk: path.endsWith('device') ? 2 : 1 })
    expect(stopsOf(elsewhere)).toEqual([])
  })

  it('is one where the folder is read-only, a file, or of another user', () => {
    expect(stopsOf(standInMachine({}, { problem: 'read-only' }))).toEqual([
      'read-only: /srv is on a read-only file system. Mount it as writable, or choose another folder with --data',
    ])
    expect(saidOn(standInMachine({}, { problem: 'not a folder' }))).toMatch(/^no-folder: \/srv is a file, not a folder/)
    const others = { problem: 'no permission', owner: 'root' } as const
    expect(stopsOf(standInMachine({}, others))).toEqual([
      'wrong-owner: You (kim) may not write to /srv/hearth, because /srv belongs to root. Have it made for you (sudo install -d -o kim /srv/hearth), or choose another folder with --data',
    ])
    expect(stopsOf(standInMachine({}, { ...others, nearest: '/srv/hearth' }))).toEqual([
      'wrong-owner: /srv/hearth belongs to root, and you are kim. Start as root, make it yours (sudo chown -R kim /srv/hearth), or choose another folder with --data',
    ])
  })

  it('is one with too little memory', () => {
    expect(stopsOf(standInMachine({}, {}, { memoryBytes: 300e6 }))).toEqual([
      'no-memory: There is too little memory: 600 MB needed, 300 MB available. Close other programs, or give the container or virtual machine more',
    ])
  })

  it('is one where a process may open few files', () => {
    expect(saidOn(standInMachine({}, {}, { openFiles: 64 }))).toMatch(
      /^few-open-files: A process may open only 64 files here, and Hearth needs 128\. Raise the limit: "ulimit -n 4096"/,
    )
  })

  it('says all that is wrong, the most basic first', () => {
    const wrong = standInMachine({ arch: 'arm', glibc: undefined }, { freeBytes: 0 }, { memoryBytes: 0, openFiles: 0 })
    const codes = findStops(FIRST_START, wrong).map(({ code }) => code)
    expect(codes).toEqual(['unsupported-processor', 'musl', 'no-disk', 'no-memory', 'few-open-files'])
  })
})

describe('this machine', () => {
  it('can run Hearth, since it runs this test', () => {
    const folder = join(scratchFolder(), 'not/there/yet')
    const needs = { parts: FIRST_START.parts, folders: [{ path: folder, bytes: 1, option: '--data' }], memoryBytes: 1 }
    expect(findStops(needs)).toEqual([])
    expect(existsSync(join(folder, '..'))).toBe(false)
  })

  it('knows which libraries it has', () => {
    expect(canLoad('libnothing.so.1')).toBe(false)
    expect(readSystem().missing).toEqual([])
  })

  it('knows what is wrong with a folder, without creating anything', () => {
    const scratch = scratchFolder()
    writeFileSync(join(scratch, 'file'), '')
    mkdirSync(join(scratch, 'target'))
    symlinkSync(join(scratch, 'target'), join(scratch, 'link'))
    const { look, user } = FOLDERS_HERE
    expect(look(join(scratch, 'a/b'))).toMatchObject({ nearest: scratch, problem: undefined, owner: user })
    expect(look(join(scratch, 'file/b'))).toMatchObject({ nearest: join(scratch, 'file'), problem: 'not a folder' })
    expect(look(join(scratch, 'link'))).toMatchObject({ problem: undefined })
    expect(look(scratch).freeBytes).toBeGreaterThan(0)
  })
})
