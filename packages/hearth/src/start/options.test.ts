import { describe, expect, it } from 'vitest'
import { DEFAULT_DATA, readOptions } from './options.ts'

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions([], {})).toEqual({
      model: 'starter',
      isModelChosen: false,
      port: 8080,
      data: DEFAULT_DATA,
      withDevice: true,
      withCommand: true,
      gateways: 1,
      bootstrapKey: undefined,
    })
  })

  it('are read from flags, which win over the environment', () => {
    const environment = { HEARTH_PORT: '1', HEARTH_MODEL: 'a.gguf', HEARTH_DATA: '/srv/x', HEARTH_DEVICE: 'off' }
    expect(readOptions(['--port', '2', '--model', 'b.gguf'], environment)).toMatchObject({
      port: 2,
      model: 'b.gguf',
      isModelChosen: true,
      data: '/srv/x',
      withDevice: false,
    })
    expect(readOptions(['--no-command'], {})).toMatchObject({ withCommand: false })
    expect(readOptions([], { HEARTH_INSTALL: 'off' })).toMatchObject({ withCommand: false })
    expect(readOptions(['--no-device'], {})).toMatchObject({ withDevice: false })
  })

  it.each([
    [['--port', '0']],
    [['--port', 'http']],
    [['--port', '70000']],
    [['--colour']],
    [['--gateways', '0']],
    [['--gateways', '65']],
    [['--gateways', 'all']],
  ])('reject %j', (args) => {
    expect(() => readOptions(args, {})).toThrow(/Cannot|Unknown/)
  })
})
