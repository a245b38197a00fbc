import { EventEmitter, once } from 'node:events'
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { admin } from '../testing/admin-command.ts'
import { openConsoleWorld } from '../testing/console-world.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { addFactor, signIn } from '../testing/second-factor.ts'

it('loses no second factor while people set them up and use them at two gateways', async () => {
  const folder = await makeDataFolder()
  const url = `embedded:${folder}`
  const worlds = [await openConsoleWorld(url), await openConsoleWorld(url)]
  const { organization } = await worlds[0]!.setUp('olga@acme.test', 'Acme')
  const rotate = () => admin({ DATABASE_URL: url }, 'secret', 'rotate')
  const people = Array.from({ length: 5 }, (_, number) => `person-${number}@acme.test`)
  const statuses: number[] = []
  /** Each sign-in, so that a rotation meets all of them and none meets many rotations. */
  const steps = new EventEmitter()
  const use = async (email: string, number: number) => {
    const world = worlds[number % 2]!
    const factor = await addFactor(await world.join(organization, email, 'member'), email)
    for (const each of [...worlds, ...worlds]) {
      statuses.push(await signIn(each, factor))
      steps.emit('step')
    }
    return factor
  }
  const isBusy = { value: true }
  const rotations = (async () => {
    let count = 0
    for (; isBusy.value; count++) {
      expect((await rotate()).code).toBe(0)
      if (isBusy.value) await once(steps, 'step')
    }
    return count
  })()
  const factors = await Promise.all(people.map(use)).finally(() => {
    isBusy.value = false
    steps.emit('step')
  })
  expect(await rotations).toBeGreaterThan(1)
  expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
  const fresh = await openConsoleWorld(url)
  try {
    for (const factor of factors) expect([factor.email, await signIn(fresh, factor)]).toEqual([factor.email, 200])
  } finally {
    await fresh.close()
  }
  for (const world of worlds) await world.close()
  rmSync(folder, { recursive: true, force: true })
})
