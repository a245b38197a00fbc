// Ten thousand random calls with the keys of two organizations, many at once. What people reach, policy.contract.ts proves route by route.

import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { acme, chat, connectDevice, other, people, stranger, useKey, type MadeKey } from '../testing/console-fixture.ts'
import { at, type Visitor } from '../testing/visitor.ts'

const CALLS = 10_000
const AT_ONCE = 24
/** Including a name that both organizations use. */
const MODELS = ['only-acme', 'only-other', 'shared']

type Place = Awaited<ReturnType<typeof settle>>

async function settle(organization: string, owner: Visitor, models: readonly string[]) {
  for (const name of models) await owner.send('PUT', at(organization, '/models'), { name, state: 'enabled' })
  const { secret } = (await owner.post<MadeKey>(at(organization, '/keys'), { name: 'k' })).body
  // The device serves every model, and answers with its own organization.
  const serves = {
    models: MODELS.map((name) => ({ name, slots: 32 })),
    plan: { text: organization },
    forgetsJobs: true,
  }
  await connectDevice('d', serves, organization)
  return { organization, models, secret }
}

async function call({ organization, models, secret }: Place, model: string): Promise<void> {
  const status = models.includes(model) ? 200 : 404
  switch (randomInt(4)) {
    case 0: {
      const { data } = (await (await useKey(secret)).json()) as { data: { id: string }[] }
      return expect(data.map(({ id }) => id).toSorted()).toEqual(models)
    }
    case 1:
      return expect((await useKey(secret, `/models/${model}`)).status).toBe(status)
    default: {
      const answer = await chat(secret, JSON.stringify({ model, messages: [{ role: 'user', content: 'who?' }] }))
      expect([model, answer.status]).toEqual([model, status])
      const body = await answer.json()
      if (status === 200) expect(body).toMatchObject({ choices: [{ message: { content: organization } }] })
    }
  }
}

it(`keys reach nothing of another organization, in ${CALLS} random calls`, { timeout: 600_000 }, async () => {
  const places = [
    await settle(acme, people.owner, ['only-acme', 'shared']),
    await settle(other, stranger, ['only-other', 'shared']),
  ]
  let left = CALLS
  const work = async () => {
    while (left-- > 0) await call(places[randomInt(2)]!, MODELS[randomInt(3)]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
})
