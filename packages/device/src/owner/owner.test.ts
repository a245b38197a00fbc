import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { RunCommand } from '../system/run-command.ts'
import { parseHours } from './hours.ts'
import { AWAKE_COMMANDS, createKeepAwake, type AwakeProcess } from './keep-awake.ts'
import { decidePermission, type OwnerRules } from './permission.ts'
import { readLinuxPower, readPower } from './power.ts'

const free: OwnerRules = {
  isFallingAsleep: false,
  isPaused: false,
  stopsJobs: false,
  hours: undefined,
  onlyOnMains: false,
}
const noon = new Date('2026-11-15T12:00:00')

describe('the owner', () => {
  it('decides by pause, hours and power, and says why', () => {
    expect(decidePermission(free, noon, 'battery')).toEqual({ allowed: true })
    const night = { ...free, hours: parseHours('18:00-08:00') }
    expect(decidePermission(night, noon, 'mains')).toEqual({
      allowed: false,
      why: 'outside its hours; starts again at 18:00',
      jobs: 'hand-over',
      rest: { reason: 'hours', until: '18:00' },
    })
    expect(decidePermission(night, new Date('2026-11-15T19:00:00'), 'mains')).toEqual({ allowed: true })
    const plugged = { ...free, onlyOnMains: true }
    expect(decidePermission(plugged, noon, 'unknown')).toEqual({ allowed: true })
  })

  it.each([
    ['finish', 'paused', 'a pause', { isPaused: true }, 'mains'],
    ['return', 'paused', 'a pause with --now', { isPaused: true, stopsJobs: true }, 'mains'],
    ['hand-over', 'hours', 'the end of its hours', { hours: parseHours('18:00-08:00') }, 'mains'],
    ['hand-over', 'battery', 'battery power', { onlyOnMains: true }, 'battery'],
    ['hand-over', 'sleep', 'sleep', { isFallingAsleep: true }, 'mains'],
    ['hand-over', 'sleep', 'sleep during a pause', { isFallingAsleep: true, isPaused: true }, 'mains'],
  ] as const)('lets running jobs %s, and tells others that it rests (%s), at %s', (jobs, reason, _, rules, power) => {
    const decided = decidePermission({ ...free, ...rules }, noon, power)
    expect(decided).toMatchObject({ allowed: false, jobs, rest: { reason } })
  })
})

describe('power', () => {
  it.each([
    ['mains', {}],
    ['mains', { AC: { type: 'Mains', online: '1' }, BAT0: { type: 'Battery', status: 'Charging' } }],
    ['battery', { AC: { type: 'Mains', online: '0' }, BAT0: { type: 'Battery', status: 'Discharging' } }],
    ['battery', { BAT0: { type: 'Battery', status: 'Discharging' } }],
    ['battery', { AC: { type: 'Mains', online: '0' }, BAT0: { type: 'Battery', status: 'Unknown' } }],
    ['mains', { USB: { type: 'USB', online: '1' }, BAT0: { type: 'Battery', status: 'Not charging' } }],
    ['mains', { mouse: { type: 'Battery', status: 'Discharging', scope: 'Device' } }],
  ])('is %s on Linux with %o', (power, supplies: Record<string, Record<string, string>>) => {
    const folder = scratchFolder()
    for (const [name, fields] of Object.entries(supplies)) {
      mkdirSync(join(folder, name))
      for (const [field, value] of Object.entries(fields)) writeFileSync(join(folder, name, field), `${value}\n`)
    }
    expect(readLinuxPower(folder)).toBe(power)
  })

  it.each([
    ['darwin', "Now drawing from 'Battery Power'\n", 'battery'],
    ['darwin', "Now drawing from 'AC Power'\n", 'mains'],
    ['win32', '1\r\n', 'battery'],
    ['win32', '2\r\n', 'mains'],
    ['win32', '', 'mains'],
  ] as const)('on %s: %j is %s', async (platform, stdout, power) => {
    const run: RunCommand = () => Promise.resolve({ code: 0, stdout, stderr: '' })
    expect(await readPower(platform, run)).toBe(power)
  })

  it('is unknown if the system does not answer', async () => {
    const run: RunCommand = () => Promise.resolve({ code: undefined, stdout: '', stderr: '' })
    expect(await readPower('darwin', run)).toBe('unknown')
    expect(await readPower('freebsd', run)).toBe('unknown')
  })
})

describe('keeping awake', () => {
  function begin() {
    const seen = { started: 0, ended: 0, failures: 0 }
    let fail = (): void => {}
    const clock = createManualClock()
    const start = (): AwakeProcess => {
      seen.started += 1
      return { end: () => (seen.ended += 1), onEnd: (listener) => (fail = listener) }
    }
    const awake = createKeepAwake(start, clock, () => (seen.failures += 1))
    return { seen, clock, awake, fail: () => fail() }
  }

  it('lasts from the first job until shortly after the last', async () => {
    const { seen, clock, awake } = begin()
    awake.jobsRunning(1)
    awake.jobsRunning(2)
    awake.jobsRunning(0)
    await clock.advance(10_000)
    awake.jobsRunning(1)
    await clock.advance(60_000)
    expect(seen).toMatchObject({ started: 1, ended: 0 })
    awake.jobsRunning(0)
    await clock.advance(15_000)
    expect(seen.ended).toBe(1)
    awake.jobsRunning(1)
    expect(seen.started).toBe(2)
    awake.stop()
    expect(seen.ended).toBe(2)
  })

  it('is tried only once if the system does not allow it', async () => {
    const { seen, awake, fail } = begin()
    awake.jobsRunning(1)
    fail()
    awake.jobsRunning(0)
    awake.jobsRunning(1)
    expect(seen).toEqual({ started: 1, ended: 0, failures: 1 })
  })

  it('has a program for each system', () => {
    const programs = (['linux', 'darwin', 'win32', 'aix'] as const).map((system) => AWAKE_COMMANDS[system]?.[0])
    expect(programs).toEqual(['systemd-inhibit', 'caffeinate', 'powershell', undefined])
  })
})
