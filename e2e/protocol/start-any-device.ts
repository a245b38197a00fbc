// A device that is not ours: the example in docs/protocol.md, or the program that HEARTH_TEST_DEVICE names.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCommand, type Program } from '../harness/processes/program.ts'
import { missingPython, preparePython } from '../harness/python-library.ts'
import { removeFolder } from '../harness/remove-folder.ts'

const LIBRARY = { name: 'websockets', version: '17.4' }
const EXAMPLE = fileURLToPath(new URL('echo-device.py', import.meta.url))
const OWN = process.env['HEARTH_TEST_DEVICE']

/** Its replies are known. */
export const IS_EXAMPLE = OWN === undefined
export const MODEL = IS_EXAMPLE ? 'echo' : (process.env['HEARTH_TEST_MODEL'] ?? 'HEARTH_TEST_MODEL is not set')

/** Why the device cannot run on this machine; undefined if it can. */
export async function missingDevice(): Promise<string | undefined> {
  return IS_EXAMPLE ? missingPython(LIBRARY) : undefined
}

export interface AnyDevice extends Pick<Program, 'output' | 'heard' | 'exited'>, AsyncDisposable {}

/** In an empty folder, as docs/protocol.md says. */
export async function startAnyDevice(origin: string, token: string): Promise<AnyDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-any-device-'))
  const environment = IS_EXAMPLE ? { PYTHONPATH: await preparePython(LIBRARY), PYTHONUNBUFFERED: '1' } : {}
  const command = OWN ?? `python3 '${EXAMPLE}'`
  const program = startCommand(['sh', '-c', `exec ${command} "$@"`, 'sh', origin, token], environment, folder)
  const { output, heard, exited, signal, isAlive } = program
  return {
    output,
    heard,
    exited,
    async [Symbol.asyncDispose]() {
      if (isAlive()) signal('SIGKILL')
      await exited
      await removeFolder(folder)
    },
  }
}
