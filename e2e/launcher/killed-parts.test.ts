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

describe('npm start', () => {
  it('[R16] [R16c] starts a killed device and a killed gateway again, and leaves the others alone', async () => {
    await using launcher = await startTiny()
    for (const [name, program, other] of [
      ['device', DEVICE, GATEWAY],
      ['gateway', GATEWAY, DEVICE],
    ] as const) {
      const others = await findParts(launcher, other)
      await killParts(launcher, await findParts(launcher, program))
      await launcher.heard(`${name} is back`)
      await isAnswered(clientOf(launcher))
      expect(await findParts(launcher, other)).toStrictEqual(others)
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
