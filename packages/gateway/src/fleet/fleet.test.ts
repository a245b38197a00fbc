import { expect, it } from 'vitest'
import { FleetWorld } from '../testing/fleet-world.ts'
import { aModel, MemoryDevice } from '../testing/memory-device.ts'
import { RecordedJob } from '../testing/recorded-job.ts'
import type { Fleet } from './fleet.ts'
import { describeFleet } from './fleet.contract.ts'
import { openGateways, openLone } from './testing/open-gateways.ts'

describeFleet('one gateway', openLone)
for (const count of [2, 3])
  describeFleet(`${count} gateways that share their devices`, (setup) => openGateways(setup, count).fleets)

it('[A15h] the gateway of a device hears what the client calls a job that came in at another gateway', async () => {
  const heard: unknown[] = []
  const onForeignStart = (front: string, { job, client }: { job: string; client?: unknown }) =>
    heard.push([front, job, client])
  let fleets!: readonly Fleet[]
  await FleetWorld.open(async (setup) => (fleets = await openGateways({ ...setup, onForeignStart }, 2).fleets))
  const [front, hub] = fleets as [Fleet, Fleet]
  const client = { requestId: 'order-17', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` }
  const device = await MemoryDevice.connect(hub, { id: 'd', organization: 'o', models: [aModel('m')] })
  for (const [at, job] of [
    [front, 'j1'],
    [hub, 'j2'],
  ] as const) {
    const answer = new RecordedJob(at, { job, organization: 'o', client })
    await device.answers(job, 'hello')
    await answer.ends()
  }
  expect(heard).toEqual([['gateway-1', 'j1', client]])
  expect(device.frames.filter(({ type }) => type === 'job-start')).toMatchObject([{ client }, { client }])
})
