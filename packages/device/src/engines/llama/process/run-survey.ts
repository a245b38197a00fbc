// Measures the machine's memory in a process of its own: only an engine's library knows how much of a GPU is free.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { EngineError } from '../../engine.ts'
import type { Backend } from '../../../gpu/backend.ts'
import { withLifeline } from '../../../watch/lifeline.ts'
import type { MachineMemory } from '../plan/machine-memory.ts'
import { engineEnvironment } from './engine-environment.ts'
import { FIND_PACKAGE_FILE } from './host-process.ts'

const HOST_FILE = fileURLToPath(new URL('./survey-host.ts', import.meta.url))

export async function runSurvey({ gpu, environment }: Backend, signal: AbortSignal): Promise<MachineMemory> {
  const child = fork(HOST_FILE, [], {
    execArgv: ['--import', FIND_PACKAGE_FILE],
    env: { ...engineEnvironment(process.env), ...environment },
    stdio: [...withLifeline('ignore', 'ignore')],
    signal,
  })
  child.on('error', () => undefined)
  child.send({ gpu }, () => undefined)
  const answer = once(child, 'message').then(([machine]: MachineMemory[]) => machine)
  const exit = once(child, 'exit').then(() => undefined)
  const machine = await Promise.race([answer, exit])
  if (machine === undefined)
    throw new EngineError('failed', "Can't measure the memory: the engine stopped unexpectedly")
  return machine
}
