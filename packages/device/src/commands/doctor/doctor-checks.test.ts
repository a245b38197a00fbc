import { expect, it } from 'vitest'
import { readSettings } from '../../settings/read-settings.ts'
import { checkConsoleDownloads } from './doctor-checks.ts'

it('reminds the owner while others may download from the local network', () => {
  const lines = (flags: Record<string, string | boolean>): string[] =>
    checkConsoleDownloads(readSettings({ flags, environment: {} })).map(({ text }) => text)
  expect(lines({})).toEqual([])
  expect(lines({ allowLocalDownloads: true })).toEqual([expect.stringContaining('remove allow-local-downloads')])
  expect(lines({ allowLocalDownloads: true, remoteModels: 'off' })).toEqual([])
})
