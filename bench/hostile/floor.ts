// What a bystander notices of an attack on a server that does nothing. New connections are taken one after the other, so whoever connects
// in the middle of a crowd waits for the crowd: no gateway on Node can be quicker than this.

import type { Attack } from '../../e2e/hostile/attack.ts'
import { Bystander, type Testimony } from '../../e2e/hostile/bystander.ts'
import { CALLS_AROUND } from '../../e2e/hostile/hostile-system.ts'
import { launchAttack } from '../../e2e/hostile/launch-attack.ts'
import { Client } from '../../e2e/harness/client/client.ts'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'

export async function sufferBare({ name }: Attack): Promise<Testimony> {
  const server = startChild('../hostile/bare-server.ts')
  try {
    const { port } = await nextMessage<{ port: number }>(server)
    const origin = `http://127.0.0.1:${port}`
    const bystander = new Bystander(new Client(`${origin}/openai/v1`, 'none'))
    await bystander.calls(CALLS_AROUND)
    await launchAttack(name, { origin, keys: [], credentials: [], model: '' }, new AbortController().signal)
    await bystander.calls(CALLS_AROUND)
    return await bystander.leave()
  } finally {
    await stopChild(server)
  }
}
