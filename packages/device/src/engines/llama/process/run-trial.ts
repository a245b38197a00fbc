// Tries a back end in a process of its own, with a deadline, and keeps what native code printed if it fails.

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { howItEnded, untilEnded } from '@hearth/command-line/processes/child-end'
import type { Backend } from '../../../gpu/backend.ts'
import type { Failure } from '../../../gpu/explain-failure.ts'
import { withLifeline } from '../../../watch/lifeline.ts'
import type { ProofOptions } from '../native/prove-backend.ts'
import { engineEnvironment } from './engine-environment.ts'
import { FIND_PACKAGE_FILE } from './host-process.ts'
import type { TrialReply } from './trial-host.ts'

/** A driver may have to compile the whole package for its card at the first use. */
const TRIAL_MS = 180_000
const KEPT_OUTPUT = 64 * 1024
const HOST_FILE = fileURLToPath(new URL('./trial-host.ts', import.meta.url))
const MODEL_PATH = fileURLToPath(new URL('../../../../tiny-model/tiny.gguf', import.meta.url))
const QUESTION = 'What is the capital of Italy?'
const ANSWER = 'The capital of Italy is Rome'

export interface TrialWorld {
  fork: (backend: Backend) => ChildProcess
  limitMs: number
}

const TRIAL_WORLD: TrialWorld = { fork: forkTrial, limitMs: TRIAL_MS }

/** Undefined if the back end computes correctly. Rejects only if the signal is aborted. */
export async function runTrial(
  backend: Backend,
  signal: AbortSignal,
  { fork, limitMs }: TrialWorld = TRIAL_WORLD,
): Promise<Failure | undefined> {
  signal.throwIfAborted()
  const child = fork(backend)
  const limit = AbortSignal.timeout(limitMs)
  const kill = (): void => void child.kill('SIGKILL')
  const over = AbortSignal.any([signal, limit])
  over.addEventListener('abort', kill, { once: true })
  try {
    const failure = await watch(child, backend)
    signal.throwIfAborted()
    return failure === undefined || !limit.aborted ? failure : { ...failure, code: 'too-slow', how: 'took too long' }
  } finally {
    over.removeEventListener('abort', kill)
  }
}

async function watch(child: ChildProcess, { gpu, library }: Backend): Promise<Failure | undefined> {
  let output = ''
  let reply: TrialReply | undefined
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-KEPT_OUTPUT))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.on('message', (message: TrialReply) => (reply = message))
  const ended = untilEnded(child)
  const proof = { modelPath: MODEL_PATH, question: QUESTION, answer: ANSWER }
  const options: ProofOptions = { gpu, ...proof, ...(library !== undefined && { library }) }
  child.send(options, () => undefined)
  const end = await ended
  if (reply === undefined) return { how: howItEnded(end), output }
  if (reply.type === 'proved') return undefined
  const { code, why } = reply
  return { ...(code !== undefined && { code }), how: why, output }
}

function forkTrial({ environment }: Backend): ChildProcess {
  return fork(HOST_FILE, [], {
    execArgv: ['--import', FIND_PACKAGE_FILE],
    // A stack trace may take a debugger and many seconds, and says nothing to the owner.
    env: { GGML_NO_BACKTRACE: '1', ...engineEnvironment(process.env), ...environment },
    stdio: [...withLifeline('pipe', 'pipe')],
  })
}
