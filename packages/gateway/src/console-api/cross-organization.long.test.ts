// Ten thousand random combinations of a caller (a key or a person), something of another organization (a model, device, key, member or
// invitation) and a route. No combination may reach anything in another organization.

import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEnrolmentToken, createInvitationToken, createKey } from '../access/secrets/secrets.ts'
import type { Role } from '../store/tables/people.ts'
import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { ScriptedDevice } from '../testing/scripted-device.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { Visitor } from '../testing/visitor.ts'
import { ROUTES } from './document.ts'

const COMBINATIONS = 10_000
const AT_ONCE = 24
const ROLES: readonly Role[] = ['owner', 'admin', 'member']
/** Including a name that both organizations use. */
const MODELS = [['only-a', 'shared'], ['only-b', 'shared'], ['only-c']]

interface Place {
  id: string
  name: string
  models: readonly string[]
  people: Visitor[]
  /** Ids by the name of the path parameter. */
  ids: Record<string, string>
  keys: string[]
  device: ScriptedDevice
}

let postgres: TestPostgres
let world: ConsoleWorld
let places: Place[]

beforeAll(async () => {
  postgres = await startPostgres()
  world = await openConsoleWorld(await postgres.createDatabase(), { LOG_LEVEL: 'silent' })
  places = []
  for (const [index, models] of MODELS.entries()) places.push(await settle(`place-${index}`, models))
})
afterAll(async () => {
  for (const { device } of places) await device[Symbol.asyncDispose]()
  await world.close()
  await postgres.stop()
})

async function settle(name: string, models: readonly string[]): Promise<Place> {
  const { store } = world
  const { id } = await store.createOrganization({ name })
  const people = []
  for (const role of ROLES) people.push(await world.join(id, `${role}@${name}.test`, role))
  const [owner] = await store.listMembers(id)
  for (const model of models) await store.enableModel({ organization: id, name: model })
  const made = ROLES.map(() => createKey())
  const stored = []
  for (const { digest, hint } of made)
    stored.push(await store.createKey({ organization: id, createdBy: owner!.person, name: 'k', digest, hint }))
  const soon = new Date(Date.now() + 3_600_000)
  const enrolment = await store.createEnrolment({
    organization: id,
    digest: createEnrolmentToken().digest,
    expiresAt: soon,
  })
  const { digest } = createInvitationToken()
  const invitation = await store.createInvitation({ organization: id, role: 'member', digest, expiresAt: soon })
  const { device, credential } = await world.enrolDevice(id, name)
  return {
    id,
    name,
    models,
    people,
    ids: { device, key: stored[0]!.id, person: owner!.person, enrolment: enrolment.id, invitation: invitation.id },
    keys: made.map(({ key }) => key),
    // The device serves every model, and answers with the name of its own organization.
    device: await ScriptedDevice.connect({
      gateway: world.base,
      credential,
      models: MODELS.flat().map((model) => ({ name: model, slots: 32 })),
      plan: { text: name },
      forgetsJobs: true,
    }),
  }
}

function pick<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)]!
}

async function useKey(): Promise<string | undefined> {
  const place = pick(places)
  const model = pick(MODELS.flat())
  const call = (path: string, body?: object) =>
    fetch(`${world.base}/openai/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${pick(place.keys)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const isOwn = place.models.includes(model)
  switch (randomInt(4)) {
    case 0: {
      const { data } = (await (await call('/models')).json()) as { data: { id: string }[] }
      const listed = data.map(({ id }) => id).toSorted()
      return listed.join() === place.models.toSorted().join() ? undefined : `${place.name} lists ${listed.join()}`
    }
    case 1: {
      const { status } = await call(`/models/${model}`)
      return status === (isOwn ? 200 : 404) ? undefined : `${place.name} gets ${status} for ${model}`
    }
    default: {
      const messages = [{ role: 'user', content: place.name }]
      const answer = await call('/chat/completions', { model, messages, stream: false })
      const text = await answer.text()
      if (!isOwn) return answer.status === 404 ? undefined : `${place.name} gets ${answer.status} for ${model}`
      const content = (JSON.parse(text) as { choices?: { message: { content: string } }[] }).choices?.[0]?.message
        .content
      return content === place.name ? undefined : `${place.name} gets ${text.slice(0, 200)}`
    }
  }
}

const BODIES: Record<string, object> = {
  changeOrganization: { name: 'taken over' },
  changeSealing: { mode: 'off' },
  deleteOrganization: { name: 'place-0' },
  putModel: { name: 'shared', state: 'disabled' },
  changeDevice: { name: 'taken over', isPaused: true },
  createKey: { name: 'foreign' },
  changeMember: { role: 'member' },
  createInvitation: { role: 'member' },
  lookUpCode: { userCode: 'BCDF-GHJK' },
  approveCode: { userCode: 'BCDF-GHJK' },
  denyCode: { userCode: 'BCDF-GHJK' },
  lookUpModel: { source: 'qwen3:8b' },
  startDownload: { source: 'qwen3:8b', name: 'qwen3:8b' },
  pauseDownload: { model: 'shared' },
  unblockRequests: { model: 'shared' },
}
const QUERIES: Record<string, string> = {
  removeModel: '?name=shared',
  cancelDownload: '?model=shared',
  deleteModel: '?model=shared',
  readUsage: '?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z',
}
const SCOPED = ROUTES.filter(
  ({ path, operationId }) => path.includes('{organization}') && operationId !== 'followEvents',
)

/** A person requests something of another organization: below the other organization, or below their own with the other's ids. */
async function useSession(): Promise<string | undefined> {
  const [own, other] = [pick(places), pick(places)]
  const person = pick(own.people)
  const route = pick(SCOPED)
  const named = pick([own, other])
  const holdsId = /\/\{(?!organization)(\w+)\}/.exec(route.path)?.[1]
  const isForeign = named !== own || (holdsId !== undefined && other !== own)
  // Requests that are allowed in their own organization are not tested here, and would use up its data.
  if (!isForeign && route.method !== 'get') return undefined
  const { status, body } = await send(person, route, named, holdsId === undefined ? undefined : other.ids[holdsId])
  if (named !== own)
    return status === 404 ? undefined : `${own.name} gets ${status} from ${named.name}: ${route.operationId}`
  if (isForeign)
    return status === 404 || status === 403
      ? undefined
      : `${own.name} gets ${status} for ${other.name}'s ${route.operationId}`
  const text = JSON.stringify(body)
  const leaked = places
    .filter((place) => place !== own)
    .find(({ id, name }) => text.includes(id) || text.includes(name))
  return leaked ? `${own.name} reads something of ${leaked.name}: ${route.operationId}` : undefined
}

function send(
  person: Visitor,
  { method, path, operationId }: (typeof ROUTES)[number],
  place: Place,
  id: string | undefined,
) {
  const url = path.replace('{organization}', place.id).replace(/\{\w+\}/, id ?? '') + (QUERIES[operationId] ?? '')
  return person.send(method.toUpperCase(), url, BODIES[operationId])
}

async function snapshot(): Promise<unknown> {
  const { store } = world
  return Promise.all(
    places.map(async ({ id }) => ({
      members: (await store.listMembers(id)).map(({ person, role }) => [person, role]),
      keys: (await store.listKeys(id)).map(({ id: key, revokedAt }) => [key, revokedAt]),
      models: await store.listModels(id),
      sealing: await store.readSealing(id),
      devices: (await store.listDevices(id)).map(({ id: device, name, isPaused }) => [device, name, isPaused]),
      enrolments: await store.listEnrolments({ organization: id, at: new Date() }),
      invitations: await store.listInvitations({ organization: id, at: new Date() }),
      changes: (await store.listAudit({ organization: id, limit: 1_000 })).filter(({ isRefused }) => !isRefused),
    })),
  )
}

describe('organizations side by side', () => {
  it(`[M40] never reach each other, in ${COMBINATIONS} random combinations`, { timeout: 600_000 }, async () => {
    const before = await snapshot()
    const faults: string[] = []
    let left = COMBINATIONS
    const work = async () => {
      while (left-- > 0 && faults.length < 10) {
        const fault = await (randomInt(4) === 0 ? useSession() : useKey())
        if (fault !== undefined) faults.push(fault)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(faults).toEqual([])
    expect(await snapshot()).toEqual(before)
  })
})
