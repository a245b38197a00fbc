import { CLOSE } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { FleetWorld, type OpenGateways } from '../../testing/fleet-world.ts'
import { aModel } from '../../testing/memory-device.ts'

export function describeAdministration(openGateways: OpenGateways): void {
  describe('a revoked key', () => {
    it('ends its waiting and its running jobs, and no others', async () => {
      const {
        world,
        device,
        job: running,
        attempt,
      } = await FleetWorld.running(openGateways, { job: 'j1', key: 'revoked' })
      const waiting = world.submit('j2', { key: 'revoked' })
      const other = world.submit('j3', { key: 'another' })
      world.tell((fleet) => fleet.keyRevoked('revoked'))
      expect(await Promise.all([running.fails(), waiting.fails()])).toEqual(['key-revoked', 'key-revoked'])
      expect(await device.hears('job-cancel', 'j1')).toMatchObject({ reason: 'revoked' })
      device.say({ type: 'job-cancelled', ...attempt })
      await device.answers('j3')
      expect(await other.ends()).toEqual(['stop'])
      expect(device.hasStarted('j2')).toBe(false)
    })
  })

  describe('a closed model', () => {
    it('ends the jobs that wait for it and lets running ones finish', async () => {
      const { world, device, job: running, attempt } = await FleetWorld.running(openGateways, { job: 'j1' })
      const waiting = world.submit('j2')
      world.tell((fleet) => fleet.modelClosed('acme', 'm'))
      expect(await waiting.fails()).toBe('model-disabled')
      device.says(attempt, 0, 'done')
      device.ends(attempt, 1)
      expect(await running.ends()).toEqual(['stop'])
    })

    it('leaves other models and other organizations alone', async () => {
      const world = await FleetWorld.open(openGateways)
      const others = [world.submit('j1', { model: 'n' }), world.submit('j2', { organization: 'other' })]
      const closed = world.submit('j3')
      world.tell((fleet) => fleet.modelClosed('acme', 'm'))
      expect(await closed.fails()).toBe('model-disabled')
      await (await world.connect('d1', { models: [aModel('n')] })).answers('j1')
      await (await world.connect('d2', { organization: 'other' })).answers('j2')
      await Promise.all(others.map((job) => job.ends()))
    })
  })

  describe('the defaults of a model', () => {
    it('reach a device before its first job, and again when they change', async () => {
      const world = await FleetWorld.open(openGateways)
      world.defaults.set('m', { temperature: 0.2 })
      world.submit('j')
      const device = await world.connect('d')
      const none = await world.connect('e', { models: [aModel('n')] })
      await device.accepts('j')
      expect(device.frames.map(({ type }) => type)).toEqual(['welcome', 'defaults', 'job-start'])
      world.defaults.set('m', { temperature: 0.7 })
      world.tell((fleet) => fleet.defaultsChanged([{ organization: 'acme' }]))
      const sent = device.frames.filter((frame) => frame.type === 'defaults')
      expect(sent.map(({ defaults }) => defaults)).toEqual([{ temperature: 0.2 }, { temperature: 0.7 }])
      expect(none.frames.map(({ type }) => type)).toEqual(['welcome'])
    })

    it('reach a device that announces the model later', async () => {
      const world = await FleetWorld.open(openGateways)
      world.defaults.set('m', { temperature: 0.2 })
      const device = await world.connect('d', { models: [] })
      device.say({ type: 'models', models: [aModel('m')] })
      expect(await device.hears('defaults')).toMatchObject({ model: 'm', defaults: { temperature: 0.2 } })
    })
  })

  describe('a paused device', () => {
    it('finishes its job and gets no new one until it is resumed', async () => {
      const { world, device, job: first, attempt } = await FleetWorld.running(openGateways, { job: 'j1' })
      world.tell((fleet) => fleet.pauseChanged('d', true))
      device.says(attempt, 0, 'a')
      device.ends(attempt, 1)
      await first.ends()
      world.submit('j2')
      await world.sees(({ queued }) => queued.get('m') === 1)
      expect(device.hasStarted('j2')).toBe(false)
      world.tell((fleet) => fleet.pauseChanged('d', false))
      await device.answers('j2')
    })

    it('stays paused when it connects again', async () => {
      const world = await FleetWorld.open(openGateways)
      world.tell((fleet) => fleet.pauseChanged('paused', true))
      world.submit('j')
      const paused = await world.connect('paused')
      await (await world.connect('d')).answers('j')
      await world.recorded('j')
      expect(paused.hasStarted('j')).toBe(false)
    })
  })

  describe('a removed device', () => {
    it('loses its link, and its job goes on elsewhere', async () => {
      const world = await FleetWorld.open(openGateways)
      const removed = await world.connect('removed')
      const job = world.submit('j')
      await removed.accepts('j')
      const other = await world.connect('d')
      world.tell((fleet) => fleet.disconnect('removed'))
      expect(await removed.isClosed()).toBe(CLOSE.revoked)
      await other.answers('j')
      expect(await job.ends()).toEqual(['stop'])
      expect(other.closeCode).toBeUndefined()
    })
  })
}
