// `npm start` on a machine so slow that its gateway gets a twentieth of a core: it waits, and says why.

import { expect, it } from 'vitest'
import { startLauncher } from '../harness/processes/launcher-process.ts'
import { throttle } from '../harness/processes/throttle.ts'
import { findParts, GATEWAY } from './launched-parts.ts'
import { newPlace } from './new-place.ts'

const SHARE = 0.05

it('waits for a gateway that starts slowly, and shows no stack', async () => {
  await using place = await newPlace()
  await using launcher = startLauncher([...place.flags, '--no-device'])
  await expect.poll(() => findParts(launcher, GATEWAY)).toHaveLength(1)
  const [pid] = await findParts(launcher, GATEWAY)
  using _slow = throttle(pid!, SHARE)
  await launcher.heard(/gateway: starting slowly \(\d+ s so far; it gets \d+ % of a core\); still waiting/)
  await launcher.heard(/Press Ctrl-C to stop/)
  expect(await findParts(launcher, GATEWAY)).toEqual([pid])
  expect(launcher.output()).not.toMatch(/stopped|stack|\{"level"/)
})
