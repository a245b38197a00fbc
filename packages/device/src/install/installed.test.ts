import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { appFolder } from '@hearth/command-line/install/app-folder'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { findInstalled, removeOldVersions } from './installed.ts'

function prepare(...versions: string[]) {
  const home = scratchFolder()
  const folder = appFolder(home, DEVICE_APP)
  for (const version of versions) mkdirSync(folder.version(version), { recursive: true })
  return { home, folder, left: () => readdirSync(folder.path).filter((name) => name !== 'current') }
}

describe('an installed app', () => {
  it('knows which version it is; a checkout of the repository is not an installed app', () => {
    const { home, folder } = prepare('1.0.0-a')
    expect(findInstalled(home, folder.version('1.0.0-a'))?.name).toBe('1.0.0-a')
    expect(findInstalled(home)).toBeUndefined()
    expect(findInstalled(join(home, 'nothing'), folder.version('1.0.0-a'))).toBeUndefined()
  })

  it('removes older versions once it runs, but not one that is being installed', () => {
    const { home, folder, left } = prepare('1.0.0-a', '1.1.0-b', '1.2.0-c.new')
    folder.choose('1.1.0-b')
    removeOldVersions(home, folder.version('1.0.0-a'))
    expect(left()).toStrictEqual(['1.0.0-a', '1.1.0-b', '1.2.0-c.new'])
    removeOldVersions(home, folder.version('1.1.0-b'))
    expect(left()).toStrictEqual(['1.1.0-b', '1.2.0-c.new'])
  })
})
