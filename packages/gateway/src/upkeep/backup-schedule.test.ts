import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { takeFileLock } from '../locks/file-lock.ts'
import { keepBackups, type BackupScheduleOptions } from './backup-schedule.ts'

const HOUR_MS = 3_600_000

let folder: string
beforeEach(() => void (folder = scratchFolder()))

const files = () =>
  readdirSync(folder)
    .filter((name) => name !== 'lock')
    .toSorted()

/** Looks as often as there are times. */
async function run(times: string[], more: Partial<BackupScheduleOptions> = {}) {
  const [told, pauses]: [unknown[], number[]] = [[], []]
  const clock = times.map((time) => Date.parse(`2026-11-${time}:00Z`))
  await keepBackups({
    folder,
    at: 3 * 60 + 30,
    keep: 2,
    backUp: async (path) => writeFileSync(path, 'whole'),
    onBackup: (state) => told.push('error' in state ? String(state.error) : new Date(state.lastAt).toISOString()),
    now: () => clock[0]!,
    pause: async (ms) => {
      if (pauses.push(ms) > 1) clock.shift()
      return clock.length > 0
    },
    ...more,
  })
  return { told, pauses }
}

describe('scheduled backups', () => {
  it('are made once a day at their time, or later if it was missed, and the newest are kept', async () => {
    const { told } = await run(['18T03:29', '18T03:31', '18T23:00', '19T09:00', '20T03:30'])
    expect(files()).toEqual(['hearth-2026-11-19T0330Z.backup', 'hearth-2026-11-20T0330Z.backup'])
    expect(told).toEqual(['17', '18', '18', '19', '20'].map((day) => `2026-11-${day}T03:30:00.000Z`))
  })

  it('are left to the gateway that is at it, and made again later after a failure', async () => {
    const lock = takeFileLock(join(folder, 'lock'))
    expect(await run(['18T12:00'])).toMatchObject({ told: [] })
    lock!.release()
    const failures = [new Error('the disk is full')]
    const { told, pauses } = await run(['18T12:00', '18T12:10'], {
      backUp: async (path) => {
        const failure = failures.shift()
        if (failure) throw failure
        writeFileSync(path, 'whole')
      },
    })
    expect(told).toEqual(['Error: the disk is full', '2026-11-18T03:30:00.000Z'])
    expect(pauses).toEqual([0, HOUR_MS / 6, HOUR_MS / 60])
  })

  it('are made although the folder has some of the future, which count for nothing and stay', async () => {
    const future = [
      'hearth-2031-01-01T0330Z.backup',
      'hearth-2031-01-02T0330Z.backup',
      'hearth-2031-01-03T0330Z.backup',
    ]
    for (const name of future) writeFileSync(join(folder, name), 'planted')
    const counts: number[] = []
    const onBackup: BackupScheduleOptions['onBackup'] = (state) => 'lastAt' in state && counts.push(state.fromFuture)
    await run(['18T12:00', '19T12:00', '20T12:00'], { onBackup })
    expect(files()).toEqual(['hearth-2026-11-19T0330Z.backup', 'hearth-2026-11-20T0330Z.backup', ...future])
    expect(counts).toEqual([3, 3, 3])
  })

  it('count if the clock of another gateway is a few minutes ahead', async () => {
    writeFileSync(join(folder, 'hearth-2026-11-18T0330Z.backup'), 'of the other')
    const backUp = vi.fn<BackupScheduleOptions['backUp']>()
    await run(['18T03:20', '18T03:40'], { backUp })
    expect(backUp).not.toHaveBeenCalled()
  })

  it('make the age of the newest known while they fail', async () => {
    writeFileSync(join(folder, 'hearth-2026-11-01T0330Z.backup'), 'old')
    const { told } = await run(['18T12:00'], { backUp: () => Promise.reject(new Error('the disk is full')) })
    expect(told).toEqual(['2026-11-01T03:30:00.000Z', 'Error: the disk is full'])
  })

  it('skip names whose date is none', async () => {
    writeFileSync(join(folder, 'hearth-2026-99-99T0330Z.backup'), 'planted')
    const { told } = await run(['18T12:00'])
    expect(told).toEqual(['2026-11-18T03:30:00.000Z'])
  })

  it('never take what a killed one left for a backup, and remove it', async () => {
    const left = 'hearth-2026-11-18T0330Z.backup.1a2b3c4d.unfinished'
    writeFileSync(join(folder, left), 'half')
    writeFileSync(join(folder, 'hearth-by-hand.backup'), 'whole')
    await run(['18T12:00'])
    expect(files()).toEqual(['hearth-2026-11-18T0330Z.backup', 'hearth-by-hand.backup'])
  })
})
