import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DriverError } from './driver-error.ts'
import { readableError, withReadableErrors } from './readable-errors.ts'
import { StoreError } from './store-error.ts'

function withCode(code: string): Error {
  return Object.assign(new Error('told by the server'), { code })
}

function ofQuery(cause: Error): Error {
  return new DrizzleQueryError('insert into person', ['ann@acme.test'], cause)
}

describe('an error of the database', () => {
  it.each([
    ['23505', 'conflict'],
    ['23503', 'unknown'],
    ['22021', 'unknown'],
    ['53100', 'unavailable'],
    ['57P01', 'unavailable'],
    ['ECONNREFUSED', 'unavailable'],
    ['42P01', 'failed'],
  ])('with the code %s is %s', (code, expected) => {
    expect(readableError(ofQuery(withCode(code)), 'add member').code).toBe(expected)
  })

  it.each(['Connection terminated unexpectedly', 'words of another version'])(
    'without a code means that the database cannot be reached, whatever its words: %s',
    (words) => {
      for (const error of [
        ofQuery(new Error(words)),
        new DriverError('The driver of the database failed', { cause: new Error(words) }),
      ])
        expect(readableError(error, 'add member')).toMatchObject({
          code: 'unavailable',
          message: `Cannot add member: the database cannot be reached (${words}). Check that it is running and that DATABASE_URL is correct`,
        })
    },
  )

  it('names PostgreSQL, and what was being done, in words that make a sentence', async () => {
    expect(readableError(ofQuery(withCode('42P01')), 'add member').message).toBe(
      'Cannot add member: PostgreSQL says "told by the server" (42P01)',
    )
    const fails = async () => {
      throw ofQuery(withCode('ECONNREFUSED'))
    }
    const store = withReadableErrors({ isSetUp: fails, usagePoints: fails, setUp: fails })
    await expect(store.isSetUp()).rejects.toThrow(/^Cannot read from the database: /)
    await expect(store.usagePoints()).rejects.toThrow(/^Cannot read from the database: /)
    await expect(store.setUp()).rejects.toThrow(/^Cannot set up: /)
  })

  it('contains neither the query nor its values', () => {
    expect(readableError(ofQuery(withCode('42P01')), 'add member').message).not.toMatch(/insert|acme/)
  })

  it('stays as it is if the store threw it', () => {
    const own = new StoreError('limit', 'enough')
    expect(readableError(own, 'add member')).toBe(own)
    expect(readableError(new DriverError('', { cause: own }), 'add member')).toBe(own)
  })
})

it('an error that does not come from the database is a failure, not an outage', async () => {
  const store = withReadableErrors({
    addMember: async () => {
      throw new TypeError('not a function')
    },
  })
  await expect(store.addMember()).rejects.toMatchObject({
    code: 'failed',
    message: 'Cannot add member: not a function',
  })
})
