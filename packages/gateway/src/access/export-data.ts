// Everything that is kept about an organization or a person, as one JSON document: no secrets, and no prompts, because none are kept. It is
// written page by page, as fast as somebody reads it, so that its size doesn't matter.

import { OWN_VERSION } from '../own-version.ts'
import type { Organization } from '../store/people/organization-rows.ts'
import type { Store } from '../store/store.ts'

const DAY_MS = 86_400_000
const PAGE = 500

/** For owners. */
export async function* dumpOrganization(store: Store, organization: Organization): AsyncGenerator<string> {
  const { id } = organization
  yield* writeDocument({
    ...head('organization'),
    organization,
    members: await store.listMembers(id),
    invitations: await store.listInvitations({ organization: id, at: new Date() }),
    keys: await store.listKeys(id),
    models: await store.listModels(id),
    devices: await store.listDevices(id),
    usage: usageOf(store, organization),
    requests: requestsOf(store, { organization: id }),
    audit: auditOf(store, { organization: id }),
  })
}

/** For the person themselves: what they did in the organizations that they are a member of, and nothing of others. */
export async function* dumpPerson(store: Store, person: string): AsyncGenerator<string> {
  const memberships = await store.membershipsOf(person)
  yield* writeDocument({
    ...head('person'),
    person: await store.readPersonData(person),
    organizations: memberships.map(({ organization: { id, name }, role }) => ({ id, name, role })),
    keys: inEach(memberships, ({ organization }) => store.listKeys(organization.id, { createdBy: person })),
    usage: inEach(memberships, ({ organization }) => usageOfPerson(store, organization, person)),
    requests: inEach(memberships, ({ organization: { id } }) =>
      requestsOf(store, { organization: id, createdBy: person }),
    ),
    audit: inEach(memberships, ({ organization: { id } }) => auditOf(store, { organization: id, actor: person })),
  })
}

function head(of: 'organization' | 'person') {
  return { export: of, hearth: OWN_VERSION, at: new Date() }
}

type Items = AsyncIterable<unknown>

async function* writeDocument(parts: Record<string, unknown>): AsyncGenerator<string> {
  let before = '{'
  for (const [name, part] of Object.entries(parts)) {
    yield `${before}${JSON.stringify(name)}:`
    if (isItems(part)) yield* writeItems(part)
    else yield JSON.stringify(part)
    before = ',\n'
  }
  yield '}\n'
}

async function* writeItems(items: Items): AsyncGenerator<string> {
  let before = '['
  for await (const item of items) {
    yield `${before}${JSON.stringify(item)}`
    before = ',\n'
  }
  yield before === '[' ? '[]' : ']'
}

function isItems(part: unknown): part is Items {
  return typeof part === 'object' && part !== null && Symbol.asyncIterator in part
}

async function* inEach<Item>(items: readonly Item[], read: (item: Item) => Items | Promise<Iterable<unknown>>): Items {
  for (const item of items) yield* await read(item)
}

/** By the hour, as far as it is kept so. */
async function* usageOf(store: Store, { id: organization, createdAt }: Organization): Items {
  for (const { from, to } of daysSince(createdAt)) yield* await store.listUsage({ organization, from, to })
}

async function usageOfPerson(store: Store, { id: organization, createdAt }: Organization, createdBy: string) {
  const days = daysSince(createdAt)
  const [from, to] = [days[0]?.from ?? createdAt, days.at(-1)?.to ?? new Date()]
  const question = { organization, from, to, by: 'key', createdBy } as const
  const sums = await store.sumUsage(question)
  const points = await store.usagePoints({ ...question, step: 'day', ids: sums.map(({ id }) => id) })
  return points.map((point) => {
    const { at: day, id: key, times: _, ...counters } = point
    return { day, organization, key, ...counters }
  })
}

/** Whole days, UTC. One more at each end, for clocks that differ. */
function daysSince(time: Date): { from: Date; to: Date }[] {
  const first = Math.floor(time.getTime() / DAY_MS) - 1
  const count = Math.floor(Date.now() / DAY_MS) + 2 - first
  return Array.from({ length: count }, (_, index) => {
    return { from: new Date((first + index) * DAY_MS), to: new Date((first + index + 1) * DAY_MS) }
  })
}

async function* requestsOf(store: Store, of: { organization: string; createdBy?: string }): Items {
  for (let before: number | undefined; ;) {
    const { requests, next } = await store.listRequests({ ...of, limit: PAGE, before })
    yield* requests
    if (next === undefined) return
    before = next
  }
}

async function* auditOf(store: Store, of: { organization: string; actor?: string }): Items {
  for (let before: number | undefined; ;) {
    const entries = await store.listAudit({ ...of, limit: PAGE, before })
    yield* entries
    if (entries.length < PAGE) return
    before = entries.at(-1)?.id
  }
}
