import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'
import { aModel } from '../../testing/memory-device.ts'

export function describeJobs(openGateways: OpenGateways): void {
  describe('a job', () => {
    it('reaches a device whole, and its answer comes back in order', async () => {
      const { device, job, attempt } = await FleetWorld.running(openGateways)
      for (const [sequence, text] of ['a', 'b', 'c'].entries()) device.says(attempt, sequence, text)
      device.says(attempt, 1, 'b')
      device.ends(attempt, 3)
      expect(await job.ends()).toEqual(['stop'])
      expect(job.delivered).toBe('abc')
      expect(await device.hears('job-start', 'j')).toMatchObject({
        organization: 'acme',
        request: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
      })
    })

    it('is recorded once, after its end, with the device, the tokens and what was expected', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      // Nothing is expected of a device before the gateway that leases its slots has heard of it.
      await expect.poll(() => world.front.stats().served).toHaveLength(1)
      world.submit('j')
      await device.answers('j')
      expect(await world.recorded('j')).toMatchObject({
        ticket: { job: 'j', key: 'k' },
        outcome: { kind: 'ended' },
        device: 'd',
        tokens: { prompt: 1, completion: 2 },
        firstEventMs: expect.any(Number),
        expectedMs: expect.any(Number),
        attempts: 1,
      })
      expect(world.records).toHaveLength(1)
    })

    it.each([true, false])('[H82i] says once how it got to its device (whole: %s)', async (rerunnable) => {
      const { world, device: first, job } = await FleetWorld.running(openGateways, { rerunnable })
      first.crash()
      const second = await world.connect('d2')
      await second.answers('j')
      await job.ends()
      const { waitMs } = await world.recorded('j')
      expect(job.placement).toEqual({ device: 'd2', waitMs, attempts: 2 })
    })

    it('[H82i] says that no device took it', async () => {
      const world = await FleetWorld.open(openGateways, 10)
      const job = world.submit('j')
      await job.fails()
      expect(job.placement).toMatchObject({ device: undefined, attempts: 0 })
    })

    it('waits until a device connects', async () => {
      const world = await FleetWorld.open(openGateways)
      const job = world.submit('j')
      const device = await world.connect('d')
      await device.answers('j')
      expect(await job.ends()).toEqual(['stop'])
    })

    it('can be watched by its key while it has produced nothing', async () => {
      const world = await FleetWorld.open(openGateways)
      const waiting = () => world.front.waiting('k')
      world.submit('j')
      world.submit('other', { key: 'another', model: 'n' })
      const inLine = { device: undefined, progress: undefined, place: 1, firstEventMs: undefined }
      await expect.poll(waiting).toEqual([{ job: 'j', model: 'm', ...inLine }])
      const device = await world.connect('d')
      const attempt = await device.accepts('j')
      device.say({ type: 'job-progress', ...attempt, phase: 'prompt', done: 10, total: 40 })
      const progress = { phase: 'prompt', done: 10, total: 40 }
      const started = { device: 'd', progress, place: undefined, firstEventMs: expect.any(Number) as number }
      await expect.poll(waiting).toEqual([{ job: 'j', model: 'm', ...started }])
      device.says(attempt, 0, 'a')
      await expect.poll(waiting).toEqual([])
    })

    it('knows its place in line and how long it will take', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      world.submit('measured')
      await device.answers('measured')
      await world.recorded('measured')
      for (const job of ['j1', 'j2', 'j3']) world.submit(job)
      await device.accepts('j1')
      const firstEventMs = expect.any(Number) as number
      const inLine = { device: undefined, progress: undefined, firstEventMs }
      await expect
        .poll(() => world.front.waiting('k'))
        .toEqual([
          { job: 'j1', model: 'm', device: 'd', progress: undefined, place: undefined, firstEventMs },
          { job: 'j2', model: 'm', ...inLine, place: 1 },
          { job: 'j3', model: 'm', ...inLine, place: 2 },
        ])
    })

    it('waits until a slot is free', async () => {
      const { world, device } = await FleetWorld.serving(openGateways)
      world.submit('j1')
      const second = world.submit('j2')
      const attempt = await device.accepts('j1')
      device.says(attempt, 0, 'a')
      await world.sees(({ queued }) => queued.get('m') === 1)
      expect(device.hasStarted('j2')).toBe(false)
      device.ends(attempt, 1)
      await device.answers('j2')
      expect(await second.ends()).toEqual(['stop'])
    })

    it('fails when no device comes in time', async () => {
      const world = await FleetWorld.open(openGateways, 10)
      expect(await world.submit('j').fails()).toBe('no-device')
      expect(await world.recorded('j')).toMatchObject({ outcome: { kind: 'no-device' }, device: undefined })
    })

    it('goes only to devices of its organization that serve its model', async () => {
      const { world, device: foreign } = await FleetWorld.serving(openGateways, { organization: 'other' })
      const unfit = await world.connect('unfit', { models: [aModel('another')] })
      world.submit('j')
      await (await world.connect('d')).answers('j')
      await world.recorded('j')
      expect(foreign.hasStarted('j')).toBe(false)
      expect(unfit.hasStarted('j')).toBe(false)
    })

    it('never reaches a device when its client leaves before', async () => {
      const world = await FleetWorld.open(openGateways)
      const job = world.submit('j1')
      job.handle.cancel('client-gone')
      expect(await world.recorded('j1')).toMatchObject({ outcome: { kind: 'cancelled' } })
      const device = await world.connect('d')
      world.submit('j2')
      await device.answers('j2')
      expect(device.hasStarted('j1')).toBe(false)
      expect(job.isOver).toBe(false)
    })

    it('[H83a] is canceled on its device, whose slot stays taken until the device confirms', async () => {
      const { world, device, job, attempt } = await FleetWorld.running(openGateways, { job: 'j1' })
      job.handle.cancel('client-gone')
      expect(await device.hears('job-cancel', 'j1')).toMatchObject({ ...attempt, reason: 'client-gone' })
      world.submit('j2')
      await world.sees(({ queued }) => queued.get('m') === 1)
      expect(device.hasStarted('j2')).toBe(false)
      device.say({ type: 'job-cancelled', ...attempt })
      await device.answers('j2')
      expect(job.isOver).toBe(false)
    })

    it('[I86c] fails and is canceled on its device when there is no memory for its reply', async () => {
      const { world, device, job, attempt } = await FleetWorld.running(openGateways, { rerunnable: true })
      device.says(attempt, 0, 'a')
      await job.delivers('a')
      job.handle.giveUp('organization')
      expect(await job.fails()).toBe('out-of-memory')
      expect(await device.hears('job-cancel', 'j')).toMatchObject(attempt)
      expect(await world.recorded('j')).toMatchObject({ outcome: { kind: 'out-of-memory', full: 'organization' } })
    })

    it('is paused and resumed on its device for a client that reads slowly', async () => {
      const { device, job, attempt } = await FleetWorld.running(openGateways)
      device.says(attempt, 0, 'a')
      await job.delivers('a')
      job.handle.pause()
      expect(await device.hears('job-pause', 'j')).toMatchObject(attempt)
      job.handle.resume()
      expect(await device.hears('job-resume', 'j')).toMatchObject(attempt)
    })
  })
}
