import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stateFolder } from '../../state/folder.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { START_DEVICE } from '../find-home.ts'
import { checkMachine } from './doctor-machine.ts'

it('[R20] names what keeps the app from running, and the option of the command that starts it', () => {
  const file = join(scratchFolder(), 'file')
  writeFileSync(file, '')
  const linesOf = (startCommand: string) => checkMachine({ state: stateFolder(join(file, 'device')), startCommand })
  const problem = `Machine: ${file} is a file, not a folder → move it away, or choose another folder with`
  expect(linesOf(START_DEVICE)).toContainEqual({ level: 'bad', text: `${problem} HEARTH_DEVICE_HOME` })
  expect(linesOf('hearth start --data x')).toContainEqual({ level: 'bad', text: `${problem} --data` })
})
