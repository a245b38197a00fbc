import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Backend } from '../../../gpu/backend.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { withLifeline } from '../../../watch/lifeline.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { runTrial } from './run-trial.ts'

const cuda: Backend = { rung: 'cuda', gpu: 'cuda', environment: {} }
const never = new AbortController().signal
const LIMIT_MS = 120_000

/** A real process that does what the script says when it is asked. */
function scripted(script: string, limitMs = LIMIT_MS) {
  const path = join(scratchFolder(), 'child.mjs')
  writeFileSync(path, `process.once('message', (options) => { ${script} })\n`)
  const children: ChildProcess[] = []
  const world = {
    limitMs,
    fork: () => {
      const child = fork(path, [], { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
      children.push(child)
      return child
    },
  }
  return { world, children }
}

describe('the trial of a back end', () => {
  it('passes if the built-in model gives its answer, in a process of its own', async () => {
    expect(await runTrial({ rung: 'cpu', gpu: false, environment: {} }, never)).toBeUndefined()
  })

  it('fails if the answer is another one', async () => {
    const file = fileURLToPath(new URL('./trial-host.ts', import.meta.url))
    const child = fork(file, [], { execArgv: [], stdio: [...withLifeline('ignore', 'ignore')] })
    const question = 'What is the capital of Italy?'
    child.send({ gpu: false, modelPath: TINY_MODEL_PATH, question, answer: 'The capital of Italy is Paris' })
    const [reply] = (await once(child, 'message')) as unknown[]
    expect(reply).toEqual({ type: 'failed', code: 'wrong-result', why: 'wrong result' })
  })

  it('fails after a deadline if the process hangs, and leaves no process behind', async () => {
    const { world, children } = scripted('for (;;);', 50)
    expect(await runTrial(cuda, never, world)).toMatchObject({ code: 'too-slow', how: 'took too long' })
    expect(children[0]!.signalCode).toBe('SIGKILL')
  })

  it.each([
    [
      'aborts, with the reason that native code printed before',
      `process.stdout.write('CUDA error: unsupported toolchain\\n', () => process.abort())`,
      { how: 'SIGABRT', output: expect.stringContaining('CUDA error: unsupported toolchain') },
    ],
    [
      'computes nonsense',
      `process.send({ type: 'failed', code: 'wrong-result', why: 'wrong result' }, () => process.exit(0))`,
      { code: 'wrong-result', how: 'wrong result' },
    ],
    ['ends without a word', 'process.exit(3)', { how: 'exit code 3' }],
  ])('fails if the process %s', async (_, script, failure) => {
    expect(await runTrial(cuda, never, scripted(script).world)).toEqual({ output: expect.any(String), ...failure })
  })

  it('asks for the answer on exactly this back end', async () => {
    const { world } = scripted(`process.send({ type: 'failed', why: JSON.stringify(options) }, () => process.exit(0))`)
    const failure = await runTrial({ ...cuda, library: '/x/libggml-cuda.so' }, never, world)
    expect(JSON.parse(failure!.how)).toMatchObject({ gpu: 'cuda', library: '/x/libggml-cuda.so' })
  })

  it('ends when the app does', async () => {
    const { world, children } = scripted('for (;;);')
    const end = new AbortController()
    const trial = runTrial(cuda, end.signal, world)
    end.abort()
    await expect(trial).rejects.toThrow(/abort/i)
    expect(children[0]!.signalCode).toBe('SIGKILL')
  })
})
