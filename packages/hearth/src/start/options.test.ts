import { describe, expect, it } from 'vitest'
import { runProgram } from '@hearth/command-line/program/commands'
import { PROGRAM } from '../commands/program.ts'
import { DEFAULT_DATA, readOptions } from './options.ts'

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions({}, {})).toEqual({
      model: 'starter',
      isModelChosen: false,
      port: 8080,
      data: DEFAULT_DATA,
      withDevice: true,
      deviceSettings: {},
      withCommand: true,
      gateways: 1,
      bootstrapKey: undefined,
    })
  })

  it('are read from flags, which win over the environment', () => {
    const environment = { HEARTH_PORT: '1', HEARTH_MODEL: 'a.gguf', HEARTH_DATA: '/srv/x', HEARTH_DEVICE: 'off' }
    expect(readOptions({ port: '2', model: 'b.gguf' }, environment)).toMatchObject({
      port: 2,
      model: 'b.gguf',
      isModelChosen: true,
      data: '/srv/x',
      withDevice: false,
    })
    expect(readOptions({ command: false }, {})).toMatchObject({ withCommand: false })
    expect(readOptions({}, { HEARTH_INSTALL: 'off' })).toMatchObject({ withCommand: false })
    expect(readOptions({ device: false }, {})).toMatchObject({ withDevice: false })
    expect(readOptions({ upstream: false }, {}).deviceSettings).toEqual({ HEARTH_DEVICE_UPSTREAM: 'off' })
  })

  it.each([
    [{ port: '0' }],
    [{ port: 'http' }],
    [{ port: '70000' }],
    [{ gateways: '0' }],
    [{ gateways: '65' }],
    [{ gateways: 'all' }],
  ])('reject %j', (flags) => {
    expect(() => readOptions(flags, {})).toThrow(/Cannot/)
  })

  it('reject a flag that does not exist', async () => {
    let said = ''
    const output = { write: (text: string) => (said += text) }
    const world = { environment: {}, stdout: output, stderr: output }
    expect(await runProgram(PROGRAM, ['start', '--prot', '2'], world, () => expect.unreachable())).toBe(2)
    expect(said).toContain('Did you mean --port?')
  })
})
