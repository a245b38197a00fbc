// Turns the driver's errors into a StoreError whose message says what failed and what to do, without the query and its values.

import { DrizzleQueryError } from 'drizzle-orm'
import { errorCode } from '../../error-code.ts'
import { DriverError } from './driver-error.ts'
import { StoreError } from './store-error.ts'

/** Returns the same object, with readable errors from every method. */
export function withReadableErrors<Methods extends object>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? withReadableError(actionOf(name), member as Method) : member,
  ])
  return Object.fromEntries(wrapped) as Methods
}

type Method = (...input: unknown[]) => Promise<unknown>

function withReadableError(action: string, method: Method): Method {
  return async (...input) => {
    try {
      return await method(...input)
    } catch (error) {
      throw readableError(error, action)
    }
  }
}

export function readableError(error: unknown, action: string): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof DrizzleQueryError || error instanceof DriverError) return readDriverError(error.cause, action)
  const { code, message } = facts(error)
  return new StoreError('failed', `Cannot ${action}: ${message}${code && ` (${code})`}`)
}

function readDriverError(error: unknown, action: string): StoreError {
  if (error instanceof StoreError) return error
  const { code, message } = facts(error)
  if (code === '23505') return new StoreError('conflict', `Cannot ${action}: it already exists`)
  if (code === '23503') return new StoreError('unknown', `Cannot ${action}: it refers to something that does not exist`)
  // PostgreSQL stores every text except one with a NUL character, so nothing with that name exists.
  if (code === '22021' || code === '22P05')
    return new StoreError('unknown', `Cannot ${action}: it refers to something that cannot exist`)
  // Raised by a trigger: see migration 0016.
  if (code === 'HS001') return new StoreError('outdated', `Cannot ${action}: ${message}`)
  if (code === '53100')
    return new StoreError('unavailable', `Cannot ${action}: the disk of the database is full. Free some space`)
  if (!isUnavailable(code)) return new StoreError('failed', `Cannot ${action}: PostgreSQL says "${message}" (${code})`)
  const reason = `the database cannot be reached (${code || message})`
  return new StoreError('unavailable', `Cannot ${action}: ${reason}. ${REACH}`)
}

const REACH = 'Check that it is running and that DATABASE_URL is correct'

/**
 * PostgreSQL's error classes: 08 connection, 53 resources, 57P operator intervention. Every error of PostgreSQL and of the system has a code;
 * the driver itself has none, and complains only about connections that are lost or too slow.
 */
function isUnavailable(code: string): boolean {
  return code === '' || /^(E[A-Z]+|08...|53...|57P..)$/.test(code)
}

/** A connection attempted on several addresses fails with an AggregateError, which has no message of its own. */
function facts(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return facts(error.errors[0])
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  return { code: errorCode(error) ?? '', message: error.message }
}

/** Methods that answer a question are named after it or after the answer, the others after what they do. */
const ANSWERS =
  /^(is|access|account|change[ds]|device|key|membership|model|organization|password|people|revisions|signIn|tableSizes|usage)/

/** `createKey` → `create key`, `isSetUp` → `read from the database` */
function actionOf(name: string): string {
  if (ANSWERS.test(name)) return 'read from the database'
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
