// Why the embedded database does not start, and what to do about it.

const REASONS: Record<string, (folder: string) => string> = {
  EACCES: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EPERM: (folder) => `no permission to write to ${folder}. Give ${user()} write access, ${OTHERWISE}`,
  EROFS: (folder) => `${folder} is on a read-only file system. Mount it for writing, ${OTHERWISE}`,
  ENOSPC: (folder) => `the disk of ${folder} is full. Free some space (a new database takes about 50 MB), ${OTHERWISE}`,
  EDQUOT: (folder) => `the disk quota for ${folder} is used up. Free some space, ${OTHERWISE}`,
  EEXIST: (folder) => `${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
  ENOTDIR: (folder) => `a part of the path ${folder} is a file, not a folder. Move it away, ${OTHERWISE}`,
}

const OTHERWISE = 'or name another folder: DATABASE_URL=pglite:<folder>'

export function explainStartError(error: unknown, folder: string): string {
  return `Cannot open the database in ${folder}: ${reasonFor(error, folder)}`
}

function reasonFor(error: unknown, folder: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Inside the database a full disk is only a sentence.
  const known = REASONS[/no space left/i.test(message) ? 'ENOSPC' : code]
  return known ? known(folder) : message
}

function user(): string {
  return process.getuid ? `the user with id ${process.getuid()}` : 'this user'
}
