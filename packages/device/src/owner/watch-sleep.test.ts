import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import { startProgram, type Program } from '../system/start-program.ts'
import { watchSleep } from './watch-sleep.ts'
import { watchMacLid } from './watch-mac-lid.ts'
import { watchLinuxSleep } from './watch-linux-sleep.ts'

function listen(isBusy = true) {
  const heard: string[] = []
  return { heard, onSleep: () => heard.push('sleep'), onWake: () => heard.push('wake'), isBusy: () => isBusy }
}

/** Programs that say what the test wants. */
function beginLinux() {
  const clock = createManualClock()
  const listener = listen()
  const running: string[] = []
  let print: (text: string) => void = () => {}
  let endMonitor = (): void => {}
  const start = ([command]: readonly [string, ...string[]]): Program => {
    running.push(command)
    return {
      onText: (onText) => (print = onText),
      onEnd: (onEnd) => (endMonitor = onEnd),
      end: () => void running.splice(running.indexOf(command), 1),
    }
  }
  const watch = watchLinuxSleep({ clock, start }, listener)
  return {
    clock,
    watch,
    running,
    heard: listener.heard,
    print: (text: string) => print(text),
    fail: () => endMonitor(),
  }
}

const GDBUS = '/org/freedesktop/login1: org.freedesktop.login1.Manager.PrepareForSleep'
const DBUS_MONITOR =
  'signal time=1.5 sender=:1.2 -> destination=(null destination) serial=9 path=/org/freedesktop/login1; interface=org.freedesktop.login1.Manager; member=PrepareForSleep\n   boolean'

describe('sleep on Linux', () => {
  it.each([
    ['gdbus', `${GDBUS} (true,)\n`, `${GDBUS} (false,)\n`],
    ['dbus-monitor', `${DBUS_MONITOR} true\n`, `${DBUS_MONITOR} false\n`],
  ])('is announced by %s, and waits until it is let', (_, before, after) => {
    const { watch, running, heard, print } = beginLinux()
    print('Monitoring signals\n')
    expect(running).toEqual(['sh', 'systemd-inhibit'])
    print(before.slice(0, 90))
    print(before.slice(90))
    expect(heard).toEqual(['sleep'])
    expect(running).toEqual(['sh', 'systemd-inhibit'])
    watch.letSleep()
    expect(running).toEqual(['sh'])
    print(after)
    expect(heard).toEqual(['sleep', 'wake'])
    expect(running).toEqual(['sh', 'systemd-inhibit'])
    watch.stop()
    expect(running).toEqual([])
  })

  it('is over if the machine still runs a minute later', async () => {
    const { clock, heard, print } = beginLinux()
    print(`${GDBUS} (true,)\n`)
    await clock.advance(59_000)
    expect(heard).toEqual(['sleep'])
    await clock.advance(1_000)
    expect(heard).toEqual(['sleep', 'wake'])
    print(`${GDBUS} (false,)\n`)
    expect(heard).toEqual(['sleep', 'wake'])
  })

  it('is not watched on a machine without the programs', () => {
    const { running, heard, fail } = beginLinux()
    fail()
    expect(running).toEqual([])
    expect(heard).toEqual([])
  })

  it('takes nothing but a moment to find that out for real', async () => {
    const ended = Promise.withResolvers<void>()
    startProgram(['hearth-has-no-such-program']).onEnd(ended.resolve)
    await ended.promise
  })
})

describe('the lid of a Mac', () => {
  function beginMac(isBusy = true) {
    const clock = createManualClock()
    const listener = listen(isBusy)
    const registry = { text: '', asked: 0, code: 0 as number | undefined }
    const run: RunCommand = () => {
      registry.asked += 1
      return Promise.resolve({ code: registry.code, stdout: registry.text, stderr: '' })
    }
    watchMacLid({ clock, run }, listener)
    return { clock, registry, heard: listener.heard }
  }
  const state = (isClosed: string, causesSleep: string): string =>
    `    "AppleClamshellState" = ${isClosed}\n    "AppleClamshellCausesSleep" = ${causesSleep}\n`

  it('means sleep when it is closed, and waking up when it is opened', async () => {
    const { clock, registry, heard } = beginMac()
    registry.text = state('No', 'No')
    await clock.advance(2_000)
    expect(heard).toEqual([])
    registry.text = state('Yes', 'Yes')
    await clock.advance(2_000)
    expect(heard).toEqual(['sleep'])
    registry.text = state('No', 'No')
    await clock.advance(1_000)
    expect(heard).toEqual(['sleep', 'wake'])
  })

  it('means nothing with an external display', async () => {
    const { clock, registry, heard } = beginMac()
    registry.text = state('Yes', 'No')
    await clock.advance(2_000)
    expect(heard).toEqual([])
  })

  it('is not looked at while no job runs, or if the system does not tell', async () => {
    const idle = beginMac(false)
    await idle.clock.advance(5_000)
    expect(idle.registry.asked).toBe(0)
    const strange = beginMac()
    strange.registry.code = undefined
    await strange.clock.advance(5_000)
    expect(strange.registry.asked).toBe(1)
    expect(strange.heard).toEqual([])
  })
})

it('other systems are not watched', () => {
  const run: RunCommand = () => Promise.reject(new Error('not asked'))
  expect(watchSleep('win32', { clock: createManualClock(), run })(listen())).toBeUndefined()
})
