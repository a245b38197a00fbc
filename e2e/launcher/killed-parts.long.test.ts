// Kills the processes behind `npm start`, and expects each of them back.

import { describe, expect, it } from 'vitest'
import {
  clientOf,
  DEVICE,
  findNewPart,
  findParts,
  GATEWAY,
  isAnswered,
  killParts,
  startTiny,
} from './launched-parts.ts'
import { SteadyClient } from './steady-client.ts'

const PROGRAMS = {
  gateway: GATEWAY,
  device: DEVICE,
  database: 'store/embedded/main.ts',
  NATS: 'nats-server',
}

function without(pids: readonly number[], killed: readonly number[]): number[] {
  return pids.filter((pid) => !killed.includes(pid))
}

describe('npm start', () => {
  it.each([
    ['one gateway', [], ['device', 'gateway', 'database']],
    ['several gateways', ['--gateways', '2'], ['NATS', 'database']],
  ])('[R16] starts again what was killed and nothing else, with %s', async (_title, flags, names) => {
    await using launcher = await startTiny(...flags)
    for (const name of names) {
      const before = await findParts(launcher, '')
      const killed = await findParts(launcher, PROGRAMS[name as keyof typeof PROGRAMS])
      await killParts(launcher, killed)
      await launcher.heard(`${name} is back`)
      await isAnswered(clientOf(launcher))
      expect(await findParts(launcher, '')).toEqual(expect.arrayContaining(without(before, killed)))
    }
    expect(launcher.output()).not.toContain('{"level"')
  })

  it('[R15a] [R16] answers while gateways are killed, two at once and one that is starting', async () => {
    await using launcher = await startTiny('--gateways', '3')
    await using client = new SteadyClient(clientOf(launcher))
    await client.isAnswered()
    const [first, second, third] = await findParts(launcher, GATEWAY)
    await client.during(() => killParts(launcher, [first!, second!]))
    const starting = await findNewPart(launcher, GATEWAY, [first!, second!, third!])
    await client.during(() => killParts(launcher, [starting]))
    for (const number of [1, 2]) await launcher.heard(new RegExp(`gateway ${number} is back`))
    await client.during(() => killParts(launcher, [third!]))
    await launcher.heard('gateway 3 is back')
    await client.isAnswered()
    expect(await client.unexplained()).toStrictEqual([])
  })
})
