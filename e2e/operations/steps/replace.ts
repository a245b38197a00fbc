// `hearth restart` while requests run and a stream that takes longer than the restart.

import { openStore } from '@hearth/gateway/testing'
import { SentRequest } from '../../fleet/chaos/sent-request.ts'
import { SteadyDevice } from '../../fleet/chaos/steady-device.ts'
import { enrolDevice } from '../../harness/enrol-device.ts'
import { PAIR } from '../../harness/seed.ts'
import { findParts, GATEWAY } from '../../launcher/launched-parts.ts'
import type { Hearth } from '../hearth.ts'
import { moreAnswers, underLoad } from '../../harness/client/under-load.ts'
import { figure, noneFailed, seconds, type Figure } from '../week.ts'

const LONG = { tokens: 400, intervalMs: 100 }
const MOST_SECONDS = 90

/** `update` puts the new version in place; requests run already. */
export async function replace(hearth: Hearth, update = async () => {}): Promise<Figure[]> {
  const problems: string[] = []
  const credential = await enrol(hearth)
  const onProblem = (what: string) => problems.push(what)
  const options = { credential, slots: 1, plan: () => LONG, choose: () => hearth.origin, onProblem }
  await using _device = new SteadyDevice(options)
  const figures: Figure[] = []
  const load = await underLoad(hearth.client, async (load) => {
    await update()
    const long = new SentRequest({ client: hearth.client, name: 'long', tokens: LONG.tokens, isStream: true })
    await long.first
    const before = await findParts(hearth.launcher, GATEWAY)
    const since = performance.now()
    const from = hearth.launcher.output().length
    const restarted = hearth.run('restart')
    await hearth.launcher.heard('gateway has a successor', from)
    await moreAnswers(load, 20)
    const isBoth = long.end === undefined
    figures.push(figure('requests while the old gateway has the stream', isBoth ? 'answered' : 'none', isBoth))
    console.log(await restarted)
    figures.push(seconds('hearth restart, which waits for the stream', since, MOST_SECONDS))
    const { kind } = await long.ended
    const after = await findParts(hearth.launcher, GATEWAY)
    const lasted = ((performance.now() - long.askedAt) / 1_000).toFixed(0)
    const isWhole = kind === 'done' && problems.length === 0
    const isNew = after.length === 1 && !before.includes(after[0]!)
    figures.push(figure(`a stream of ${LONG.tokens} tokens in ${lasted} s`, isWhole ? 'exact' : kind, isWhole))
    figures.push(figure('gateway', isNew ? 'a new process' : 'still the old one', isNew))
  })
  return [...figures, noneFailed(load)]
}

/** Another machine, which serves the stream. */
async function enrol({ database, client }: Hearth): Promise<string> {
  const store = await openStore(database)
  try {
    const [organization] = await store.listOrganizations()
    await store.enableModel({ organization: organization!.id, name: PAIR })
    await store.changesAreKnown()
    const origin = client.base.replace('/openai/v1', '')
    return (await enrolDevice(store, { origin, organization: organization!.id })).credential
  } finally {
    await store.close()
  }
}
