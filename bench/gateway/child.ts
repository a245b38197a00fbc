// Child processes of the benchmark. They end with it.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export function startChild(file: string, environment: Record<string, string> = {}): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return fork(path, { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const left = new AbortController()
  const exited = once(child, 'exit', { signal: left.signal }).then(() => {
    throw new Error('A process of the benchmark ended too early')
  })
  exited.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message', { signal: left.signal }), exited])) as [Message]
  left.abort()
  return message
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
