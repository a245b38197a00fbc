import { describe, expect, it } from 'vitest'
import { mappedBySiblings } from './mapped-by-siblings.ts'

const MIB = 2 ** 20

describe('weights that other engines have mapped', () => {
  it('are not available to the next one', () => {
    const files: Record<string, string> = {
      '/proc/1/task/1/children': '10 11 12 ',
      '/proc/10/status': `RssAnon:\t 900 kB\nRssFile:\t ${1024 + 4 * 1024 * 1024} kB\n`,
      '/proc/11/status': `RssFile:\t ${100 * 1024} kB\n`,
      '/proc/12/status': `RssFile:\t ${8 * 1024 * 1024} kB\n`,
    }
    expect(mappedBySiblings((path) => files[path], 12, 1)).toBe((4096 + 1 - 128) * MIB)
    expect(mappedBySiblings(() => undefined, 12, 1)).toBe(0)
  })
})
