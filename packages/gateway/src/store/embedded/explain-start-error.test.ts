import { expect, it } from 'vitest'
import { ProgramFailed } from '../../local-servers/server-command.ts'
import { explainStartError } from './explain-start-error.ts'

const cases: [name: string, error: unknown, says: RegExp][] = [
  [
    'no permission',
    Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }),
    /no permission to write to \/data\. Give .* write access/,
  ],
  ['a read-only disk', Object.assign(new Error('EROFS'), { code: 'EROFS' }), /read-only file system/],
  [
    'a full disk',
    Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }),
    /the disk of \/data is full\. Free some space/,
  ],
  ['a full disk, as the database reports it', new Error('FATAL: could not write: No space left on device'), /is full/],
  [
    'a user without a name',
    new Error('initdb: error: could not look up effective user ID 1234: user does not exist'),
    /PostgreSQL wants .* to have a name\. Add a line for it to \/etc\/passwd/,
  ],
  [
    'a reason that only PostgreSQL knows',
    new ProgramFailed('PostgreSQL did not start', 'invalid checkpoint record'),
    /PostgreSQL did not start: invalid checkpoint record\nIf its files are damaged .* restore the folder from a backup/,
  ],
  ['anything else', new Error('invalid page in block 7'), /invalid page in block 7/],
]

it.each(cases)('the explanation of a failed start reports %s and the folder', (_name, error, says) => {
  const text = explainStartError(error, '/data')
  expect(text).toMatch(/^Cannot open the database in \/data: /)
  expect(text).toMatch(says)
})
