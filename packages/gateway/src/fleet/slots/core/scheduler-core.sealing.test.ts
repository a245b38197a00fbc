import { describe, expect, it } from 'vitest'
import { model, Stage } from './stage.ts'

const sealed = { features: ['sealed' as const] }

describe('a sealed job', () => {
  it('[S61] goes only to a device that it was sealed for, however busy that one is', () => {
    const stage = new Stage().up('other', sealed).up('own', sealed)
    stage.submit('a', { ...sealed, sealedFor: ['own'] }).submit('b', { ...sealed, sealedFor: ['own'] })
    expect(stage.take()).toEqual(['offer a to own'])
    expect(stage.accept('a').end('a').take()).toEqual(['finish a: ended', 'offer b to own'])
  })

  it('[S61] does not keep jobs behind it from other devices', () => {
    const stage = new Stage().up('other', sealed)
    stage
      .submit('a', { ...sealed, sealedFor: ['away'] })
      .submit('b')
      .submit('c', { ...sealed, sealedFor: ['other'] })
    expect(stage.take()).toEqual(['offer b to other'])
    expect(stage.accept('b').end('b').take()).toEqual(['finish b: ended', 'offer c to other'])
  })

  it('[S61] waits for a device that is away, and ends when none comes', () => {
    const stage = new Stage().up('other', sealed).submit('a', { ...sealed, sealedFor: ['away'] })
    expect(stage.take()).toEqual([])
    expect(stage.up('away', sealed).take()).toEqual(['offer a to away'])
    stage.submit('b', { ...sealed, sealedFor: ['gone'] })
    expect(stage.accept('a').end('a').pass(120_000).take()).toContainEqual(
      expect.stringContaining('finish b: no-device'),
    )
  })

  it('[S61] gets its second offer from a device that it was sealed for', () => {
    const stage = new Stage().up('frozen', sealed).submit('a', { ...sealed, sealedFor: ['frozen', 'late'] })
    stage.up('other', sealed)
    stage.take()
    expect(stage.pass(1_000).take()).toEqual([])
    expect(stage.up('late', sealed).take()).toEqual(['offer a to late'])
  })

  it('[S61] is continued by a device that it was sealed for', () => {
    const file = { ...model('small', 1, ['sealed', 'resume']), digest: 'f' }
    const stage = new Stage().up('first', { models: [file] }).up('other', { models: [file] })
    stage
      .submit('a', { ...sealed, sealedFor: ['first', 'next'] })
      .accept('a')
      .deliver('a')
    stage.take()
    expect(stage.down('first').take()).toEqual([])
    expect(stage.up('next', { models: [file] }).take()).toEqual(['continue a on next'])
  })

  it('is not handed over to a device that it was not sealed for', () => {
    const stage = new Stage().up('own', sealed).up('other', sealed)
    stage.submit('a', { ...sealed, sealedFor: ['own'] }).accept('a')
    stage.take()
    expect(stage.handOver('a').take()).toEqual([])
  })

  it('is unsupported if the devices that it was sealed for lack a feature, whatever others have', () => {
    const stage = new Stage().up('own', sealed).up('other', { features: ['sealed', 'tools'] })
    stage.submit('a', { features: ['sealed', 'tools'], sealedFor: ['own'] })
    expect(stage.take()).toEqual([expect.stringContaining('finish a: unsupported')])
  })

  it('has no forecast while none of its devices is there', () => {
    const stage = new Stage().up('other', sealed).submit('a', { ...sealed, sealedFor: ['away'] })
    expect(stage.forecast('a')).toEqual({ place: 1, firstEventMs: undefined })
  })

  it('ends with the reason if no device can open it', () => {
    const stage = new Stage().up('own', sealed).submit('a', { ...sealed, sealedFor: ['own'] })
    const error = { code: 'seal_rejected', message: 'The clock is off' }
    for (let attempt = 0; attempt < 3; attempt++) stage.accept('a').fail('a', { error })
    expect(stage.take()).toContainEqual(expect.stringContaining('finish a: refused-by-device'))
  })
})
