import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it, onTestFinished } from 'vitest'
import { judgeClock, judgeDescriptors, judgeDisk, MachineHealth } from './machine-health.ts'

const GIB = 1024 ** 3

it('warns of a disk with less than 5% free, and says what happens when it is full', () => {
  expect([judgeDisk(5 * GIB, 100 * GIB), judgeDisk(0, 0)]).toEqual([undefined, undefined])
  expect(judgeDisk(4.4 * GIB, 100 * GIB)).toMatch(/^4\.4% of the disk is free.*When it is full, usage .*rejected/)
})

it('warns of a clock that differs from the database by more than 10 s', () => {
  expect([judgeClock(9_000), judgeClock(-9_000)]).toEqual([undefined, undefined])
  expect(judgeClock(61_000)).toMatch(/61 s ahead of .* end too early/)
  expect(judgeClock(-61_000)).toMatch(/61 s behind .* end too late/)
})

it('warns when nine of ten descriptors are in use', () => {
  expect(judgeDescriptors(90, 100)).toBeUndefined()
  expect(judgeDescriptors(91, 100)).toMatch(/^91 of 100 .* new connections are rejected/)
})

it('notices that the journal cannot be written, and that it can again, and logs each once', async () => {
  const folder = join(scratchFolder(), 'journal')
  const logged: [level: string, check: unknown][] = []
  const log = {
    warn: ({ check }: { check: string }) => logged.push(['warn', check]),
    info: ({ check }: { check: string }) => logged.push(['info', check]),
  }
  const health = new MachineHealth({
    journalFolder: folder,
    storeTime: () => Promise.resolve(new Date()),
    log: log as never,
  })
  onTestFinished(() => health.close())
  await expect.poll(() => health.problems.journal).toMatch(/ENOENT/)
  await health.look()
  await mkdir(folder)
  await health.look()
  expect(health.problems.journal).toBeUndefined()
  expect(logged.filter(([, check]) => check === 'journal').map(([level]) => level)).toEqual(['warn', 'info'])
})
