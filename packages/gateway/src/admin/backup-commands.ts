// Everything in the database as one file, and back.

import { resolve } from 'node:path'
import { formatBytes, plural } from '@hearth/command-line/format'
import type { CommandWorld } from '@hearth/command-line/program/commands'
import { keySource, type KeySource } from '../access/keyring/key-source.ts'
import { readSessionSecret } from '../config.ts'
import type { Head } from '../store/backup/backup-lines.ts'
import type { Progress } from '../store/backup/write-backup.ts'
import { findDatabase, newDatabase } from './find-database.ts'
import { InputError } from './input-error.ts'
import { printResult, withCommonOptions, type AdminCommand, type CommonOptions } from './with-store.ts'

const ENDED = 'Everyone has to sign in again, and unused invitations and enrolment tokens have ended.'
const ROWS_PER_NOTE = 100_000

export const BACKUP: AdminCommand = {
  ...withCommonOptions({
    name: 'backup',
    summary: 'write everything in the database to a file, while Hearth runs',
    arguments: [['<file>', 'the file to write; it must not exist yet']],
    options: [['--with-key', 'include the key that opens second factors. Keep such a file as safe as the key']],
    examples: ['backup hearth.backup', 'backup --with-key hearth-with-key.backup'],
    notes: `
The file holds people, digests of keys and credentials, models, usage and the audit log, as they were at one moment. Without --with-key, keep the
key apart: the file secret-key of the data folder, or SESSION_SECRET. "hearth admin restore" reads the file, in this version and in later ones.`,
  }),
  async run(world, options: CommonOptions & { withKey?: boolean }, file: string) {
    const { url, note } = findDatabase(world, { ...options, isChange: true })
    if (note !== undefined) world.stderr.write(`${note}\n`)
    const keys = options.withKey === true ? keysOf(keySource(url, readSessionSecret(world.environment))) : undefined
    const { writeBackup } = await import('../store/backup/write-backup.ts')
    const path = resolve(file)
    const written = await writeBackup(url, path, { ...(keys && { keys }), onProgress: notes(world) })
    const text = `Backed up ${plural(written.rows, 'row')} to ${path} (${formatBytes(written.bytes)}).`
    printResult(world, options, { text, value: { file: path, ...written } })
  },
}

export const RESTORE: AdminCommand = {
  ...withCommonOptions({
    name: 'restore',
    summary: 'put a backup into an empty data folder or database',
    arguments: [['<file>', 'a file that "hearth admin backup" wrote']],
    examples: [
      'restore hearth.backup --data ./restored',
      'restore hearth.backup                    into the empty database that DATABASE_URL names',
    ],
    notes: `
Nothing is restored over a database that is in use. It works in every direction: from the embedded database to your own PostgreSQL (15 or later),
and back. Everyone has to sign in again, and invitations, enrolment tokens and other links end: the backup can't know which were used since. API
keys and devices that were revoked after the backup work again: compare with the audit log.`,
  }),
  async run(world, options: CommonOptions, file: string) {
    const url = newDatabase(world, options)
    const source = keySource(url, readSessionSecret(world.environment))
    const { restoreBackup } = await import('../store/backup/restore-backup.ts')
    const { head, rows } = await restoreBackup(url, resolve(file), notes(world))
    const { keys, ...facts } = head
    if (keys && source.kind === 'file') source.file.write(keys)
    const text = `Restored ${plural(rows, 'row')}, as they were at ${head.at}. ${ENDED}\n${nextStep(head, source)}`
    printResult(world, options, { text, value: { rows, ...facts, hasKey: keys !== undefined } })
  },
}

function keysOf(source: KeySource): string[] {
  const keys = source.kind === 'setting' ? [source.value] : source.kind === 'file' ? source.file.read() : []
  if (keys.length > 0) return keys
  throw new InputError(
    'There is no key to include: set SESSION_SECRET to the value that the gateways have, or leave out --with-key',
  )
}

function nextStep({ keys }: Head, source: KeySource): string {
  if (source.kind === 'file')
    return keys
      ? 'The key came with it. Start Hearth.'
      : `Put the key back as ${source.file.path}, then start Hearth. If it is lost: hearth admin secret start-over`
  const [key] = keys ?? []
  if (key === undefined) return 'Start the gateways with the SESSION_SECRET from the time of the backup.'
  return source.kind === 'setting' && source.value === key
    ? 'Start the gateways.'
    : `Start the gateways with this SESSION_SECRET, which came with it:\n  ${key}`
}

/** A line for every hundred thousand rows. */
function notes({ stderr }: CommandWorld): (progress: Progress) => void {
  let noted = 0
  return ({ table, rows }) => {
    if (rows < noted + ROWS_PER_NOTE) return
    noted = rows
    stderr.write(`${plural(rows, 'row')} so far (${table})\n`)
  }
}
