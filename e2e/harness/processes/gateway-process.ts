// A real gateway in its own process. Everything it prints is kept, so that a test can look for things that must not be there.

import { DEADLINE_MS } from '../deadline.ts'
import { startProgram, type Program } from './program.ts'

const LISTENING = /^\{.*"msg":"listening".*\}$/m

export interface GatewayProcess extends Program, AsyncDisposable {
  /** http://127.0.0.1:<port> */
  origin: string
  /** Of every process that serves under `origin`: one, unless a balancer stands in front of several. */
  origins: readonly string[]
  /** Tells the process to end and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Resolves once it listens. `flags` are for Node itself; `root` is another checkout of this repository. */
export async function startGateway(
  settings: Record<string, string>,
  flags: readonly string[] = [],
  root?: string,
): Promise<GatewayProcess> {
  const environment = { PORT: '0', HOST: '127.0.0.1', ...settings }
  const program = startProgram('packages/gateway/src/main.ts', [], { environment, flags, ...(root && { root }) })
  const [line] = await program.heard(LISTENING)
  const { port } = JSON.parse(line) as { port: number }
  const origin = `http://127.0.0.1:${port}`
  return {
    ...program,
    origin,
    origins: [origin],
    stop: () => stop(program),
    [Symbol.asyncDispose]: async () => {
      await stop(program)
    },
  }
}

async function stop({ isAlive, signal, exited }: Program): Promise<number | null> {
  if (isAlive()) signal('SIGTERM')
  // A test may have stopped it; then it would never see that it should end.
  signal('SIGCONT')
  const timer = setTimeout(() => signal('SIGKILL'), DEADLINE_MS)
  return await exited.finally(() => clearTimeout(timer))
}
