// Keeps the machine awake while a job runs, if the system allows it. Each system has a small program that does this for as long as it runs;
// ours runs from the first job until shortly after the last. It reads from a pipe of ours, so that it ends with us, however we end.

import type { Clock } from '../clock.ts'
import { startProgram, type Program } from '../system/start-program.ts'

export type AwakeProcess = Pick<Program, 'end' | 'onEnd'>

export interface KeepAwake {
  /** Call whenever the number of running jobs changes. */
  jobsRunning(count: number): void
  stop(): void
}

/** Bridges short gaps between jobs, so that the program isn't restarted each time. */
const LINGER_MS = 15_000

export function createKeepAwake(
  startProcess: () => AwakeProcess | undefined,
  clock: Clock,
  onFailure: () => void,
): KeepAwake {
  let awake: AwakeProcess | undefined
  let cancelEnd: (() => void) | undefined
  let works = true

  function begin(): void {
    cancelEnd?.()
    cancelEnd = undefined
    if (awake !== undefined || !works) return
    const started = startProcess()
    works = started !== undefined
    awake = started
    started?.onEnd(() => {
      if (awake !== started) return
      works = false
      awake = undefined
      onFailure()
    })
  }

  function end(): void {
    cancelEnd?.()
    cancelEnd = undefined
    const ending = awake
    awake = undefined
    ending?.end()
  }

  return {
    jobsRunning(count) {
      if (count > 0) begin()
      else if (awake !== undefined) cancelEnd ??= clock.after(LINGER_MS, end)
    },
    stop: end,
  }
}

const WINDOWS_SCRIPT = [
  '$awake = Add-Type -PassThru -Name Awake -Namespace Hearth -MemberDefinition \'[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);\'',
  '[void]$awake::SetThreadExecutionState(0x80000001)',
  '[void][Console]::In.ReadToEnd()',
].join('; ')

/** `cat` ends when our pipe closes. */
export const AWAKE_COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  linux: ['systemd-inhibit', '--what=idle:sleep', '--who=Hearth', '--why=Answering a request', '--mode=block', 'cat'],
  darwin: ['caffeinate', '-i', 'cat'],
  win32: ['powershell', '-NoProfile', '-Command', WINDOWS_SCRIPT],
}

/** Undefined on a system without such a program. */
export function startAwakeProcess(): AwakeProcess | undefined {
  const command = AWAKE_COMMANDS[process.platform]
  return command && startProgram(command)
}
