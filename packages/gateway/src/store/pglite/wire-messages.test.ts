import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageSplitter, parsedStatement, prefixStatement } from './wire-messages.ts'

const STARTUP = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])

function command(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}0000${body}`)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}

describe('MessageSplitter', () => {
  it('[T24] finds the same messages no matter how the bytes are split', () => {
    const message = fc
      .tuple(fc.constantFrom('Q', 'P', 'B', 'D', 'E', 'S'), fc.string())
      .map(([type, body]) => command(type, body))
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.integer({ min: 1, max: 20 })), (messages, cuts) => {
        const splitter = new MessageSplitter()
        const found = cut(Buffer.concat([STARTUP, ...messages]), cuts).flatMap((chunk) => splitter.push(chunk))
        expect(found.map((one) => 'bytes' in one && one.bytes)).toEqual([STARTUP, ...messages])
      }),
    )
  })
})

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const [size, ...rest] = sizes
  if (size === undefined || bytes.length <= size) return [bytes]
  return [bytes.subarray(0, size), ...cut(bytes.subarray(size), rest)]
}

describe('prefixStatement', () => {
  it.each([
    ['parse', 'P', 'name\0select 1\0', 'c1_name\0select 1\0'],
    ['bind', 'B', 'portal\0name\0rest', 'portal\0c1_name\0rest'],
    ['describe', 'D', 'Sname\0', 'Sc1_name\0'],
    ['close', 'C', 'Sname\0', 'Sc1_name\0'],
  ])('[T24a] prefixes the statement name in %s', (_name, type, body, prefixed) => {
    expect(prefixStatement(type, command(type, body), 'c1_')).toEqual(command(type, prefixed))
  })

  it.each([
    ['a statement without a name', 'P', '\0select 1\0'],
    ['a binding of a statement without a name', 'B', 'portal\0\0rest'],
    ['a portal', 'D', 'Pportal\0'],
    ['a query', 'Q', 'name\0'],
  ])('[T24a] leaves %s unchanged', (_name, type, body) => {
    expect(prefixStatement(type, command(type, body), 'c1_')).toEqual(command(type, body))
  })

  it('[T24a] finds the statement that a message creates', () => {
    expect(parsedStatement('P', command('P', 'name\0select 1\0'))).toBe('name')
    expect(parsedStatement('P', command('P', '\0select 1\0'))).toBeUndefined()
    expect(parsedStatement('B', command('B', 'portal\0name\0'))).toBeUndefined()
  })
})
