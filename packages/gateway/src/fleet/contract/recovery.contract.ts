import { isSealed, type DeviceModel, type JobAttempt, type JobRequest } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'
import { aModel, type MemoryDevice } from '../../testing/memory-device.ts'

/** A model whose replies other devices can continue. */
const models: DeviceModel[] = [{ ...aModel('m'), digest: 'f', features: ['resume'] }]

function draw(device: MemoryDevice, attempt: JobAttempt, text: string, id: number): void {
  device.say({ type: 'job-delta', ...attempt, sequence: 0, choice: 0, text, tokens: 1, ids: [id] })
}

function tokensOf(request: JobRequest): readonly number[] | undefined {
  return isSealed(request) ? undefined : request.recovery?.choices?.[0]?.tokens
}

export function describeRecovery(openGateways: OpenGateways): void {
  describe('a reply whose device is lost', () => {
    it.each([false, true])('[H84b] continues on a second and a third device (whole: %s)', async (rerunnable) => {
      const world = await FleetWorld.open(openGateways)
      let device = await world.connect('one', { models })
      const job = world.submit('j', { rerunnable })
      const recovered: (readonly number[] | undefined)[] = []
      for (const [index, text] of ['Once ', 'upon ', 'a time'].entries()) {
        const { request } = await device.hears('job-start', 'j')
        recovered.push(request && tokensOf(request))
        const attempt = await device.accepts('j')
        draw(device, attempt, text, index)
        await job.delivers(['Once ', 'upon ', 'a time'].slice(0, index + 1).join(''))
        await world.isHeard()
        if (index === 2) device.say({ type: 'job-end', ...attempt, sequence: 1, finishes: ['stop'] })
        else {
          const next = await world.connect(`another ${index}`, { models })
          device.crash()
          device = next
        }
      }
      await job.ends()
      expect(recovered).toEqual([undefined, [0], [0, 1]])
      expect(job).toMatchObject({ delivered: 'Once upon a time', restarts: 0 })
      expect(await world.recorded('j')).toMatchObject({
        device: 'another 1',
        takeOver: { left: 'another 0' },
        attempts: 3,
        tokens: { completion: 3 },
      })
      await world.isHeard()
      device.crash()
      await world.sees(({ devices }) => devices.length === 0)
      expect(world.total('continuedReplies')).toBe(2)
    })

    it('ends with an error if no device can make sense of the tokens that its device made up', async () => {
      const { world, device: liar } = await FleetWorld.serving(openGateways, { models })
      const job = world.submit('j')
      draw(liar, await liar.accepts('j'), 'He', 2_000_000_000)
      await job.delivers('He')
      await world.isHeard()
      const problem = { message: 'These tokens give another text', retryable: true, crashed: false }
      const honest = await world.connect('honest 1', { models })
      liar.crash()
      for (let device = honest, count = 2; !job.isOver && count < 9; count++) {
        const { attempt } = await device.hears('job-start', 'j')
        const next = await world.connect(`honest ${count}`, { models })
        device.say({ type: 'job-error', job: 'j', attempt, code: 'failed', ...problem })
        await Promise.race([next.hears('job-start', 'j'), job.fails()])
        device = next
      }
      expect(await job.fails()).toBe('device-lost')
      expect(job.delivered).toBe('He')
    })
  })

  describe('a job whose first device does not answer', () => {
    it('runs on the second, and its client can pause it there', async () => {
      const { world, device: frozen } = await FleetWorld.serving(openGateways)
      const job = world.submit('j')
      await frozen.hears('job-start', 'j')
      const other = await world.connect('other')
      const attempt = await other.accepts('j')
      other.says(attempt, 0, 'hi')
      await job.delivers('hi')
      const late = await frozen.accepts('j')
      expect(await frozen.hears('job-cancel', 'j')).toMatchObject({ ...late, reason: 'superseded' })
      frozen.say({ type: 'job-cancelled', ...late })
      job.handle.pause()
      expect(await other.hears('job-pause', 'j')).toMatchObject(attempt)
      await expect.poll(() => world.total('leases')).toBe(1)
      expect([world.total('secondOffers'), world.total('secondOffersWon')]).toEqual([1, 1])
      expect(job.delivered).toBe('hi')
    })
  })
}
