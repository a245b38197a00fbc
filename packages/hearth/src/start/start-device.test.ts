import type { DeviceStatus } from '@hearth/device'
import { expect, it } from 'vitest'
import { waitUntilServing } from './start-device.ts'

type ModelStatus = DeviceStatus['models'][number]

const STATUS: DeviceStatus = {
  app: '1.0.0',
  pid: 1,
  startedAt: '2027-01-01T00:00:00Z',
  updatedAt: '2027-01-01T00:00:00Z',
  name: 'desk',
  gateway: 'http://127.0.0.1:8080',
  organization: 'home',
  link: { name: 'linked', gateway: 'g', device: 'd', organization: 'home' },
  permission: { allowed: true },
  models: [],
  jobs: { running: 0, answered: 0, failed: 0, stopped: 0, handedOver: 0 },
}

const FAILED: ModelStatus = { name: 'broken', state: 'failed', why: 'the file is gone', busy: 0 }
const LOADING: ModelStatus = { name: 'tiny', state: 'loading', busy: 0 }
const SERVING: ModelStatus = { name: 'tiny', state: 'serving', busy: 0 }

/** The device has one status after the other. */
async function wait(...changes: readonly Partial<DeviceStatus>[]): Promise<{ models: string[]; steps: string[] }> {
  const left = changes.map((change) => ({ ...STATUS, ...change }))
  const steps: string[] = []
  const screen = { step: (text: string) => void steps.push(text), move: () => undefined }
  const models = await waitUntilServing({ status: () => left.shift() }, screen)
  expect(left).toEqual([])
  return { models, steps }
}

it('waits while a model may still be served, whatever became of the others', async () => {
  const { models, steps } = await wait({ models: [FAILED, LOADING] }, { models: [FAILED, SERVING] })
  expect({ models, steps }).toEqual({ models: ['tiny'], steps: [] })
})

it('ends when every model failed, and says why', async () => {
  const { models, steps } = await wait(
    { models: [] },
    { models: [{ ...FAILED, state: 'loading' }] },
    { models: [FAILED] },
  )
  expect({ models, steps }).toEqual({ models: [], steps: ["device: can't serve broken: the file is gone"] })
})

it('ends when the owner of the machine does not let it serve', async () => {
  const { models, steps } = await wait({ permission: { allowed: false, why: 'paused by its owner' } })
  expect({ models, steps }).toEqual({ models: [], steps: ['device: not serving: paused by its owner'] })
})
