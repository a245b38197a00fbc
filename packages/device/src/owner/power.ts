// Finds out whether the machine is plugged in or on battery. Each system is asked in its own way; no answer means `unknown`.

import { join } from 'node:path'
import { listFolder } from '../system/list-folder.ts'
import type { RunCommand } from '../system/run-command.ts'
import type { Power } from './permission.ts'
import { readText } from '@hearth/command-line/files/read-text'

const ASK_MS = 5_000
const LINUX_FOLDER = '/sys/class/power_supply'

export function readPower(platform: NodeJS.Platform, run: RunCommand): Promise<Power> {
  if (platform === 'linux') return Promise.resolve(readLinuxPower(LINUX_FOLDER))
  if (platform === 'darwin') return readMacPower(run)
  return platform === 'win32' ? readWindowsPower(run) : Promise.resolve('unknown')
}

/** If no supply is listed, the machine is a desktop or a virtual machine, so it is plugged in. */
export function readLinuxPower(folder: string): Power {
  const supplies = listFolder(folder).map((name) => ({
    type: read(join(folder, name, 'type')),
    isOnline: read(join(folder, name, 'online')) === '1',
    status: read(join(folder, name, 'status')),
    scope: read(join(folder, name, 'scope')),
  }))
  if (supplies.some(({ type, isOnline }) => (type === 'Mains' || type === 'USB') && isOnline)) return 'mains'
  // A wireless mouse has a battery too, with scope Device.
  const batteries = supplies.filter(({ type, scope }) => type === 'Battery' && scope !== 'Device')
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery'
  return supplies.some(({ type }) => type === 'Mains') && batteries.length > 0 ? 'battery' : 'mains'
}

async function readMacPower(run: RunCommand): Promise<Power> {
  const { code, stdout } = await run('pmset', ['-g', 'batt'], { timeoutMs: ASK_MS })
  if (code !== 0) return 'unknown'
  return stdout.includes("'Battery Power'") ? 'battery' : 'mains'
}

/** Without a battery the output is empty; 1 means discharging. */
async function readWindowsPower(run: RunCommand): Promise<Power> {
  const question = '(Get-CimInstance Win32_Battery).BatteryStatus'
  const { code, stdout } = await run('powershell', ['-NoProfile', '-Command', question], { timeoutMs: ASK_MS })
  if (code !== 0) return 'unknown'
  return stdout.trim().split(/\s+/).includes('1') ? 'battery' : 'mains'
}

function read(path: string): string {
  return (readText(path) ?? '').trim()
}
