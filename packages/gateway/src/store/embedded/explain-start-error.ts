// Explains why the embedded database did not start, and what to do about it.

import { errorCode } from '../../error-code.ts'
import { ProgramFailed } from '../../local-servers/server-command.ts'

const REASONS: Record<string, (folder: string) => string> = {
  EACCES: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EPERM: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EROFS: (folder) => `${folder} is on a read-only file system. Mount it as writable, ${OTHERWISE}`,
  ENOSPC: (folder) => `the disk of ${folder} is full. Free some space (a new database needs about 50 MB), ${OTHERWISE}`,
  EDQUOT: (folder) => `the disk quota for ${folder} is used up. Free some space, ${OTHERWISE}`,
  EEXIST: (folder) => `${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
  NO_NAME: () =>
    `PostgreSQL wants ${user()} to have a name. Add a line for it to /etc/passwd, start Hearth as another user, or set DATABASE_URL=postgres://user:password@host/database`,
  ENOTDIR: (folder) => `a part of the path ${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
}

const OTHERWISE = 'or choose another folder: DATABASE_URL=embedded:<folder>'

const IF_DAMAGED =
  'If its files are damaged or missing, restore the folder from a backup, or move it away to start with an empty database'

export function explainStartError(error: unknown, folder: string): string {
  return `Cannot open the database in ${folder}: ${reasonFor(error, folder)}`
}

function reasonFor(error: unknown, folder: string): string {
  const message = error instanceof Error ? error.message : String(error)
  // PostgreSQL reports these only as text.
  const said = SAID.find(([pattern]) => pattern.test(message))
  const known = REASONS[said?.[1] ?? errorCode(error) ?? '']?.(folder)
  return known ?? (error instanceof ProgramFailed ? `${message}\n${IF_DAMAGED}` : message)
}

const SAID: readonly [pattern: RegExp, code: string][] = [
  [/no space left/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
  [/could not look up effective user ID/, 'NO_NAME'],
]

function user(): string {
  return process.getuid ? `the user with the id ${process.getuid()}` : 'this user'
}
