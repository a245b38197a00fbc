import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '@hearth/gateway/testing'
import type { Hearth } from '../hearth.ts'
import { underLoad } from '../../harness/client/under-load.ts'
import { figure, noneFailed, seconds, type Figure, type Week } from '../week.ts'

const HOURS = 24 * 30
const MODELS = 30

/** Backs up a month of usage while requests are answered. */
export async function backUp(week: Week): Promise<Figure[]> {
  const hearth = await week.hearth()
  await addUsage(hearth)
  const file = join(week.folder, 'under-load.backup')
  let took: Figure | undefined
  const load = await underLoad(hearth.client, async () => {
    const since = performance.now()
    console.log(await hearth.run('admin', 'backup', file))
    took = seconds('hearth admin backup', since, 60)
  })
  const size = figure('size of the file', `${statSync(file).size.toLocaleString('en-US')} bytes`, true)
  return [took!, size, noneFailed(load)]
}

async function addUsage({ database }: Hearth): Promise<void> {
  const store = await openStore(database)
  const [organization] = await store.listOrganizations()
  const [key] = await store.listKeys(organization!.id)
  const place = { organization: organization!.id, key: key!.id, device: 'none' }
  const counts = { requests: 1, errors: 0, promptTokens: 100, completionTokens: 300, waitMs: 1, busyMs: 12.5 }
  const now = Math.floor(Date.now() / 3_600_000)
  for (let index = 0; index < MODELS; index++) {
    const hours = Array.from({ length: HOURS }, (_, back) => new Date((now - back - 1) * 3_600_000))
    await store.addUsage(hours.map((hour) => ({ hour, model: `model-${index}`, ...place, ...counts })))
  }
  await store.close()
}
