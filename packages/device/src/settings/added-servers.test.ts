import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { addressesToServe, addServers, readAddedServers, removeServer } from './added-servers.ts'

const file = (): string => join(scratchFolder(), 'servers.json')
const OLLAMA = 'http://127.0.0.1:11434'
const STUDIO = 'http://127.0.0.1:1234'

describe('the local servers that the owner agreed to', () => {
  it('are kept until they are removed, each once', () => {
    const path = file()
    expect(addServers(path, [OLLAMA, STUDIO])).toEqual([OLLAMA, STUDIO])
    expect(addServers(path, [OLLAMA])).toEqual([])
    expect(removeServer(path, STUDIO)).toBe(true)
    expect(removeServer(path, STUDIO)).toBe(false)
    expect(readAddedServers(path)).toEqual([OLLAMA])
  })

  it('are replaced by the setting upstream, also if that says none', () => {
    const path = file()
    addServers(path, [OLLAMA])
    expect(addressesToServe({ upstream: undefined }, path)).toEqual([OLLAMA])
    expect(addressesToServe({ upstream: [STUDIO] }, path)).toEqual([STUDIO])
    expect(addressesToServe({ upstream: [] }, path)).toEqual([])
  })

  it.each([
    ['no JSON', '{', []],
    ['no list', '{"servers":"http://a"}', []],
    ['no addresses', '{"servers":[1,null,{},"ftp://a","http://u:p@a"]}', []],
    ['a good one among them', `{"servers":[7,"${OLLAMA}/v1/","${OLLAMA}"]}`, [OLLAMA]],
  ])('are as good as the file: %s', (_, content, expected) => {
    const path = file()
    writeFileSync(path, content)
    expect(readAddedServers(path)).toEqual(expected)
  })

  it('are sixteen at most', () => {
    const path = file()
    const many = Array.from({ length: 100 }, (_, index) => `http://127.0.0.1:${index + 1}`)
    expect(addServers(path, many)).toHaveLength(16)
    expect(addServers(path, [OLLAMA])).toEqual([])
    writeFileSync(path, JSON.stringify({ servers: many }))
    expect(readAddedServers(path)).toHaveLength(16)
  })
})
