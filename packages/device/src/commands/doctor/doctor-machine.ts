// The `doctor` checks for the machine itself: what it is, what would keep the app from running at all, then how much room there is.

import { existsSync } from 'node:fs'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import { findStops } from '@hearth/command-line/machine/find-stops'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import { DEVICE_MEMORY, STARTER_ROOM } from '@hearth/command-line/machine/room'
import { formatBytes, formatMemory } from '@hearth/command-line/format'
import type { Context } from '../context.ts'
import { START_DEVICE } from '../find-home.ts'
import { readMachine, thisMachine } from '../../system/machine/read-machine.ts'
import { runCommand } from '../../system/run-command.ts'
import { bad, good, info, warn, type Line } from '../../terminal/line.ts'

const GIGABYTE = 1e9

/** For those who are sent what `doctor` prints. */
export async function describeHardware(world = thisMachine(runCommand)): Promise<Line> {
  const { model, system, processor, cores } = await readMachine(world)
  const facts = [model, system, processor, cores === undefined ? undefined : `${cores} cores`]
  return info(`This machine: ${facts.filter((fact) => fact !== undefined).join(', ')}`)
}

export function checkMachine({ state, startCommand }: Pick<Context, 'state' | 'startCommand'>): Line[] {
  const option = startCommand === START_DEVICE ? 'HEARTH_DEVICE_HOME' : '--data'
  const stops = findStops({
    parts: { runsModels: true, hasDatabase: false },
    folders: [{ path: state.path, bytes: existsSync(state.registry) ? 0 : STARTER_ROOM, option }],
    memoryBytes: DEVICE_MEMORY,
  })
  if (stops.length > 0) return stops.map(({ what, remedy }) => bad(`Machine: ${what} → ${remedy}`))
  return [describeMemory(), describeDisk(state.path, option)]
}

function describeMemory(): Line {
  const { total, available } = availableMemory()
  const text = `Memory: ${formatMemory(available)} of ${formatMemory(total)} available`
  if (available >= GIGABYTE) return good(text)
  return warn(`${text} → close other apps, or serve a smaller model`)
}

function describeDisk(folder: string, option: string): Line {
  const free = freeBytesOf(folder)
  const text = `Disk: ${formatBytes(free)} free for ${folder}`
  if (free >= 2 * GIGABYTE) return good(text)
  return warn(`${text} → free up space, or choose another folder with ${option}`)
}
