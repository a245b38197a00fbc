import { expect, it } from 'vitest'
import { bestFirst } from './best-first.ts'

it('models that a device serves come first, and the starter after its betters', () => {
  const models = [
    { name: 'a', devices: [], known: null },
    { name: 'starter', devices: [1, 2], known: { isStarter: true } },
    { name: 'z', devices: [1], known: { isStarter: false } },
    { name: 'y', devices: [1], known: null },
  ]
  expect(bestFirst(models).map(({ name }) => name)).toEqual(['z', 'y', 'starter', 'a'])
})
