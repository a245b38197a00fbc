import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { loadSettingsFile, readSettings } from './read-settings.ts'
import { environmentName, kebab, SETTING_NAMES } from './settings.ts'

function file(name: string, text: string): string {
  const path = join(scratchFolder(), name)
  writeFileSync(path, text)
  return path
}

const load = (name: string, text: string) => loadSettingsFile('/nowhere', file(name, text))

describe('settings', () => {
  it('come from a flag, otherwise the environment, otherwise the file, otherwise the default', () => {
    const { settings, origins } = readSettings({
      flags: { slots: '3' },
      environment: { HEARTH_DEVICE_SLOTS: '2', HEARTH_DEVICE_THREADS: '2' },
      file: load('order.toml', 'slots = 1\nthreads = 1\ngpu-layers = 1\n'),
    })
    expect([settings.slots, settings.threads, settings.gpuLayers, settings.context]).toEqual([3, 2, 1, undefined])
    expect([origins.slots, origins.threads, origins.context]).toEqual(['--slots', 'HEARTH_DEVICE_THREADS', 'default'])
    expect(origins.gpuLayers).toContain('order.toml')
  })

  it('of earlier versions have no effect, which a note says for each', () => {
    const path = file('old.toml', 'draft = "auto"\n')
    for (const [sources, origin] of [
      [{ flags: { draft: 'small' }, environment: {} }, '--draft'],
      [{ flags: {}, environment: { HEARTH_DEVICE_DRAFT: 'off' } }, 'HEARTH_DEVICE_DRAFT'],
      [{ flags: {}, environment: {}, file: loadSettingsFile('/nowhere', path) }, `${path}: draft`],
    ] as const)
      expect(readSettings(sources).notes).toEqual([expect.stringContaining(`${origin} has no effect anymore: `)])
    expect(readSettings({ flags: {}, environment: {} }).notes).toEqual([])
  })

  it('can be TOML or JSON', () => {
    const read = (name: string, text: string) =>
      readSettings({ flags: {}, environment: {}, file: load(name, text) }).settings
    const toml = 'without-features = ["logprobs", "n"]\nonly-on-mains = true\nhours = "18:00-08:00"\n'
    const json = '{"without-features": ["logprobs", "n"], "only-on-mains": true, "hours": "18:00-08:00"}'
    const settings = read('a.toml', toml)
    expect(settings).toEqual(read('a.json', json))
    expect(settings).toMatchObject({ withoutFeatures: ['logprobs', 'n'], onlyOnMains: true })
  })

  it.each([
    [{ slots: '0' }, {}, /Invalid value "0" for --slots: use a whole number from 1 to 64/],
    [{ hours: 'night' }, {}, /--hours: write hours as/],
    [{ gpu: 'fast' }, {}, /one of auto, off, cuda/],
    [{}, { HEARTH_DEVICE_SLOTS: 'many' }, /HEARTH_DEVICE_SLOTS/],
    [{}, { HEARTH_DEVICE_KEEP_AWAKE: 'maybe' }, /true or false/],
    [{}, { HEARTH_DEVICE_WITHOUT_FEATURES: 'logprob' }, /"logprob" is not a feature/],
    [{}, { HEARTH_DEVICE_SLOT: '2' }, /Unknown setting HEARTH_DEVICE_SLOT in the environment/],
    [{}, { HEARTH_DEVICE_HUB: 'models' }, /https:\/\//],
  ])('are rejected if invalid: %o %o', (flags, environment, message) => {
    expect(() => readSettings({ flags, environment })).toThrow(message)
  })

  it('are rejected if the file is missing, broken or has an unknown name', () => {
    expect(() => loadSettingsFile('/nowhere', '/nowhere/none.toml')).toThrow(/Can't find the settings file/)
    expect(() => load('b.toml', 'slots = = 2')).toThrow(/Can't read the settings file/)
    const typo = load('c.toml', 'slotz = 2')
    expect(() => readSettings({ flags: {}, environment: {}, file: typo })).toThrow(/Unknown setting "slotz"/)
    expect(loadSettingsFile('/nowhere', undefined)).toBeUndefined()
  })

  it('all have a default', () => {
    const { origins } = readSettings({ flags: {}, environment: { HEARTH_DEVICE_HOME: '/x' } })
    expect(SETTING_NAMES.every((name) => origins[name] === 'default')).toBe(true)
  })
})

describe('the manual', () => {
  it('lists every setting, and none that does not exist', () => {
    const manual = readFileSync(new URL('../../../../docs/device.md', import.meta.url), 'utf8')
    const rows = [...manual.matchAll(/^- `([a-z-]+)` or `(HEARTH_DEVICE_[A-Z_]+)`/gm)].map(([, name, variable]) => [
      name,
      variable,
    ])
    expect(rows).toEqual(SETTING_NAMES.map((name) => [kebab(name), environmentName(name)]))
  })
})
