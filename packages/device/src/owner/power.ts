// Is the machine on mains power? Asks the system in its own way; a system that does not answer is `unknown`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunCommand } from '../system/run-command.ts'
import type { Power } from './permission.ts'

const ASK_MS = 5_000
const LINUX_FOLDER = '/sys/class/power_supply'

export function readPower(platform: NodeJS.Platform, run: RunCommand): Promise<Power> {
  switch (platform) {
    case 'linux':
      return Promise.resolve(readLinuxPower(LINUX_FOLDER))
    case 'darwin':
      return readMacPower(run)
    case 'win32':
      return readWindowsPower(run)
    default:
      return Promise.resolve('unknown')
  }
}

/** Without any supply listed it is a desktop or a virtual machine, which hang on the mains. */
export function readLinuxPower(folder: string): Power {
  const supplies = list(folder).map((name) => ({
    type: read(join(folder, name, 'type')),
    isOnline: read(join(folder, name, 'online')) === '1',
    status: read(join(folder, name, 'status')),
    scope: read(join(folder, name, 'scope')),
  }))
  if (supplies.some(({ type, isOnline }) => (type === 'Mains' || type === 'USB') && isOnline)) return 'mains'
  // A mouse has a battery too, of its own scope.
  const batteries = supplies.filter(({ type, scope }) => type === 'Battery' && scope !== 'Device')
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery'
  return supplies.some(({ type }) => type === 'Mains') && batteries.length > 0 ? 'battery' : 'mains'
}

async function readMacPower(run: RunCommand): Promise<Power> {
  const { code, stdout } = await run('pmset', ['-g', 'batt'], { timeoutMs: ASK_MS })
  if (code !== 0) return 'unknown'
  return stdout.includes("'Battery Power'") ? 'battery' : 'mains'
}

/** No battery is no answer; 1 is discharging. */
async function readWindowsPower(run: RunCommand): Promise<Power> {
  const question = '(Get-CimInstance Win32_Battery).BatteryStatus'
  const { code, stdout } = await run('powershell', ['-NoProfile', '-Command', question], { timeoutMs: ASK_MS })
  if (code !== 0) return 'unknown'
  return stdout.trim().split(/\s+/).includes('1') ? 'battery' : 'mains'
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
