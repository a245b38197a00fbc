import { describe, expect, it } from 'vitest'
import { clearMemory, keepForPerson, ownMemory, pauseMemory } from './person-memory.ts'

describe('what is kept for a person', () => {
  const seen: string[] = []
  keepForPerson({ pause: () => seen.push('pause'), forget: () => seen.push('forget') })
  const since = () => seen.splice(0)

  it('pauses when a session ends, and stays for the same person', () => {
    ownMemory('ada')
    pauseMemory()
    ownMemory('ada')
    expect(since()).toStrictEqual(['pause'])
  })

  it('is forgotten when another person signs in', () => {
    ownMemory('grace')
    expect(since()).toStrictEqual(['pause', 'forget'])
  })

  it('is forgotten when the person signs out', () => {
    clearMemory()
    expect(since()).toStrictEqual(['pause', 'forget'])
  })
})
