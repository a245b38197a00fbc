// Backups that nobody's Hearth wrote: each has a checksum that is right.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { admin } from '../../testing/admin-command.ts'
import { dumpRows } from '../../testing/dump.ts'
import { startPostgres, type TestPostgres } from '../../testing/start-postgres.ts'

const GOLDEN = readFileSync(fileURLToPath(new URL('./golden-0.1.0.backup', import.meta.url)))
const LINES = zstdDecompressSync(GOLDEN).toString().trimEnd().split('\n').slice(0, -1)
const HEAD = JSON.parse(LINES[0]!) as [string, number, object]
const PERSON = LINES.find((line) => line.includes('ann@acme.test'))!

let postgres: TestPostgres
/** Each of them leaves it empty. */
let url: string
beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase('nothing')
})
afterAll(() => postgres.stop())

/** With a last line that fits the others. */
function pack(lines: readonly string[], rows = lines.filter((line) => line.startsWith('{')).length): Buffer {
  const digest = createHash('sha256')
  for (const line of lines) digest.update(`${line}\n`)
  return zstdCompressSync([...lines, JSON.stringify(['end', rows, digest.digest('hex')]), ''].join('\n'))
}

const withHead = (more: object) =>
  pack([JSON.stringify([HEAD[0], HEAD[1], { ...HEAD[2], ...more }]), ...LINES.slice(1)])
const withPerson = (change: (person: Record<string, unknown>) => object) =>
  pack(LINES.map((line) => (line === PERSON ? JSON.stringify(change(JSON.parse(PERSON))) : line)))
const after = (line: string, ...more: string[]) =>
  pack(LINES.flatMap((each) => (each === line ? [each, ...more] : [each])))

const DAMAGED = /it is damaged/

const HOSTILE: Record<string, [Buffer, RegExp]> = {
  'keys that are a number': [withHead({ keys: 5 }), DAMAGED],
  'keys that are a text': [withHead({ keys: 'the-key' }), DAMAGED],
  'keys that are no texts': [withHead({ keys: [{}, null] }), DAMAGED],
  'keys that are empty': [withHead({ keys: [] }), DAMAGED],
  'a key of several lines': [withHead({ keys: ['one\ntwo'] }), DAMAGED],
  'no head at all': [pack([JSON.stringify([HEAD[0], HEAD[1], null]), ...LINES.slice(1)]), DAMAGED],
  'a head of a later kind without a version': [pack([JSON.stringify([HEAD[0], 9, null])]), DAMAGED],
  'tables as of a text': [withHead({ schema: 'new' }), DAMAGED],
  'tables as of a moment when there were none': [withHead({ schema: 1 }), DAMAGED],
  'a version with control characters': [withHead({ schema: 9_999_999_999_999, hearth: '\u001b[2J' }), DAMAGED],
  'a second head': [after(LINES[1]!, LINES[0]!), DAMAGED],
  'a row of no table': [pack([LINES[0]!, PERSON, ...LINES.slice(1)]), DAMAGED],
  'a table that Hearth does not have': [after(PERSON, '["table","pg_authid"]', '{}'), /a table "pg_authid"/],
  'a table without a name': [after(PERSON, '["table"]'), DAMAGED],
  'a sequence that Hearth does not have': [
    pack([...LINES, '["sequence","other","3"]']),
    /"other" is not one of Hearth/,
  ],
  'a sequence of letters': [pack([...LINES, '["sequence","audit_log_id_seq","x"]']), DAMAGED],
  'a row twice': [after(PERSON, PERSON), /the rows of "person"/],
  'a row of other types': [withPerson((person) => ({ ...person, created_at: { a: [1] } })), /the rows of "person"/],
  'a row with a NUL': [withPerson((person) => ({ ...person, name: '\u0000' })), /the rows of "person"/],
  'a row without what it needs': [withPerson(({ name }) => ({ name })), /the rows of "person"/],
  'a row with a column that Hearth does not have': [withPerson((person) => ({ ...person, root: 1 })), /column "root"/],
  'a row that is cut': [after(PERSON, '{"id":"1'), /the rows of "person"/],
  'rows that nobody is left to own': [pack(LINES.filter((line) => line !== PERSON)), /the rows of "(member|api_key)"/],
  'a line that never ends': [zstdCompressSync(Buffer.alloc(2 ** 28, '{')), DAMAGED],
  'something after its end': [
    zstdCompressSync(Buffer.concat([zstdDecompressSync(pack(LINES)), Buffer.from('["table","person"]\n')])),
    DAMAGED,
  ],
}

it.each(Object.entries(HOSTILE))('restoring %s says so, and leaves nothing', async (_, [content, message]) => {
  const folder = scratchFolder()
  const file = join(folder, 'hostile.backup')
  writeFileSync(file, content)
  const said = await admin({ DATABASE_URL: url }, 'restore', file)
  expect(said).toMatchObject({ code: 1, error: expect.stringMatching(message) })
  expect(said.error).toContain(`Cannot restore ${file}: `)
  expect(said.error.trim().split('\n')).toHaveLength(1)
  expect(said.error).not.toMatch(/\s+at /)
  expect(said.error).not.toContain('\u001b')
  expect(await dumpRows(url)).toStrictEqual([])
  expect(readdirSync(folder)).toEqual(['hostile.backup'])
})

it('restoring odd keys into a new data folder makes no folder', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'hostile.backup')
  writeFileSync(file, withHead({ keys: 5 }))
  expect(await admin({}, 'restore', file, '--data', join(folder, 'data'))).toMatchObject({ code: 1, out: '' })
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
