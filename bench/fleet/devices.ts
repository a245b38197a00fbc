// The devices of a fleet, in a process of their own. They speak the real protocol and take part in everything, also in continuing what another
// device began.

import { ScriptedDevice } from '@hearth/gateway/testing'
import { MODEL } from '../gateway/tokens.ts'
import { PacedEngine } from './paced-engine.ts'
import { findWorld } from './requests.ts'

const { LINK = '', WORLD = '' } = process.env
const { devices } = findWorld(WORLD)
const engines = devices.map((machine) => new PacedEngine(machine))

process.on('message', (order: readonly string[] | 'report') => {
  if (order === 'report') process.send?.(engines.map((engine) => engine.report()))
  else void Promise.all(order.map(connect)).then(() => process.send?.({ greeted: order.length }))
})
process.on('disconnect', () => process.exit(0))

async function connect(credential: string, index: number): Promise<void> {
  const { slots } = devices[index]!
  await ScriptedDevice.connect({
    gateway: new URL(LINK.replace(/^ws/, 'http')).origin,
    credential,
    models: [{ name: MODEL, contextLength: 32_768, slots, features: ['usage', 'resume'], digest: 'sha256:bench' }],
    plan: engines[index]!.plan,
    boot: `bench-${index}`,
    forgetsJobs: true,
  })
}
