// Explains why the embedded database did not start, and what to do about it.

import { errorCode } from '../../error-code.ts'

const REASONS: Record<string, (folder: string) => string> = {
  EACCES: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EPERM: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EROFS: (folder) => `${folder} is on a read-only file system. Mount it as writable, ${OTHERWISE}`,
  ENOSPC: (folder) => `the disk of ${folder} is full. Free some space (a new database needs about 50 MB), ${OTHERWISE}`,
  EDQUOT: (folder) => `the disk quota for ${folder} is used up. Free some space, ${OTHERWISE}`,
  EEXIST: (folder) => `${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
  ENOTDIR: (folder) => `a part of the path ${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
}

/** The database's file layer throws bare error numbers. */
const CODES: Record<number, string> = { 2: 'EACCES', 19: 'EDQUOT', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

const OTHERWISE = 'or choose another folder: DATABASE_URL=pglite:<folder>'

export function explainStartError(error: unknown, folder: string): string {
  return `Cannot open the database in ${folder}: ${reasonFor(error, folder)}`
}

function reasonFor(error: unknown, folder: string): string {
  const message = error instanceof Error ? error.message : `code ${numberOf(error) ?? 'unknown'}`
  // The database itself reports a full disk only as text.
  const code = /no space left/i.test(message) ? 'ENOSPC' : codeOf(error)
  return REASONS[code]?.(folder) ?? message
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? CODES[numberOf(error) ?? 0] ?? ''
}

function numberOf(error: unknown): number | undefined {
  const isNumbered = typeof error === 'object' && error !== null && 'errno' in error && typeof error.errno === 'number'
  return isNumbered ? (error.errno as number) : undefined
}

function user(): string {
  return process.getuid ? `the user with the id ${process.getuid()}` : 'this user'
}
