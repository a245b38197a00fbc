// Hangs processes behind `npm start`: stopped by a signal, and in an endless loop. Each is noticed, ended and started again, and the other
// gateway serves meanwhile.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  clientOf,
  DEVICE,
  findParts,
  GATEWAY,
  HANGS_AT,
  isAnswered,
  LOOP_SIGNAL,
  startTinyWith,
} from './launched-parts.ts'

/** Far above what an answer takes, and far below the 15 s after which a process is ended at the earliest. */
const PROMPT_MS = 10_000
const CONNECTIONS = 30

it.each(['SIGSTOP', LOOP_SIGNAL] as const)(
  'ends and restarts what hangs after %s, and no new connection reaches a gateway that hangs',
  async (signal) => {
    await using launcher = await startTinyWith(HANGS_AT, '--gateways', '2')
    const client = clientOf(launcher)
    const health = new URL('/healthz', client.base)
    for (const [program, name] of [
      [GATEWAY, 'gateway'],
      [DEVICE, 'device'],
    ] as const) {
      const from = launcher.output().length
      const [hung] = await findParts(launcher, program)
      process.kill(hung!, signal)
      for (let asked = 0; asked < CONNECTIONS; asked++) {
        const asking = { headers: { connection: 'close' }, signal: AbortSignal.timeout(PROMPT_MS) }
        expect((await fetch(health, asking)).ok).toBe(true)
      }
      await launcher.heard(new RegExp(String.raw`${name}[ 12]* has not answered for \d+ s`), from)
      await launcher.heard(new RegExp(`${name}[ 12]* is back`), from)
      await isAnswered(client)
    }
    const stacks = (await readFile(join(launcher.data, 'hearth.log'), 'utf8')).match(/"stack":\["hangsHere /g) ?? []
    expect(stacks).toHaveLength(signal === LOOP_SIGNAL ? 2 : 0)
  },
)
