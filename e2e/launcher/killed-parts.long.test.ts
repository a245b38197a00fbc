// Kills the processes behind `npm start`, and expects each of them back.

import { describe, expect, it } from 'vitest'
import { clientOf, DEVICE, findParts, GATEWAY, isAnswered, killParts, startTiny } from './launched-parts.ts'

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
  ])('starts again what was killed and nothing else, with %s', async (_title, flags, names) => {
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
})
