import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stateFolder } from '../../state/folder.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { START_DEVICE } from '../find-home.ts'
import { checkMachine, describeHardware } from './doctor-machine.ts'

it('names what keeps the app from running, and the option of the command that starts it', () => {
  const file = join(scratchFolder(), 'file')
  writeFileSync(file, '')
  const linesOf = (startCommand: string) => checkMachine({ state: stateFolder(join(file, 'device')), startCommand })
  const problem = `Machine: ${file} is a file, not a folder → move it away, or choose another folder with`
  expect(linesOf(START_DEVICE)).toContainEqual({ level: 'bad', text: `${problem} HEARTH_DEVICE_HOME` })
  expect(linesOf('hearth start --data x')).toContainEqual({ level: 'bad', text: `${problem} --data` })
})

it('says which machine and system it is', async () => {
  const answers: Record<string, string> = { sw_vers: '15.6\n', system_profiler: '      Model Name: MacBook Air\n' }
  const line = await describeHardware({
    platform: 'darwin',
    run: async (command) => ({ code: 0, stdout: answers[command] ?? '', stderr: '' }),
    read: () => '',
    processors: () => Array.from({ length: 8 }, () => ({ model: 'Apple M3' })),
    memoryBytes: () => 16e9,
    version: () => '',
  })
  expect(line).toEqual({ level: 'info', text: 'This machine: MacBook Air, macOS 15.6, Apple M3, 8 cores' })
})
