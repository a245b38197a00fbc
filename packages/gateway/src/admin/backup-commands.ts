// Everything in the database as one file, and back.

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatBytes, plural } from '@hearth/command-line/format'
import { keySource, type KeySource } from '../access/keyring/key-source.ts'
import { readSessionSecret } from '../config.ts'
import type { Head } from '../store/backup/backup-lines.ts'
import type { Progress } from '../store/backup/write-backup.ts'
import { findDatabase, newDatabase } from './find-database.ts'
import { InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'
import { leaf, type CommonOptions } from './with-store.ts'

const ROWS_PER_NOTE = 100_000

export function backupCommand(terminal: Terminal): Command {
  return leaf('backup', 'write everything in the database to a file, while Hearth runs', [
    'backup hearth.backup',
    'backup --with-key hearth-with-key.backup',
  ])
    .argument('<file>', 'the file to write; it must not exist yet')
    .option('--with-key', 'include the key that opens second factors. Keep such a file as safe as the key')
    .addHelpText(
      'after',
      `
The file holds people, digests of keys and credentials, models, usage and the audit log, as they were at one moment. Without --with-key, keep the
key apart: the file secret-key of the data folder, or SESSION_SECRET. "hearth admin restore" reads the file, in this version and in later ones.`,
    )
    .action(async (file: string, { withKey, ...options }: CommonOptions & { withKey?: boolean }) => {
      const { url, note } = findDatabase(terminal, options)
      if (note !== undefined) terminal.printError(note)
      const keys = withKey === true ? keysOf(keySource(url, readSessionSecret(terminal.environment))) : undefined
      const { writeBackup } = await import('../store/backup/write-backup.ts')
      const path = resolve(file)
      const written = await writeBackup(url, path, { ...(keys && { keys }), onProgress: notes(terminal) })
      const { rows, bytes } = written
      terminal.print(
        options.json
          ? JSON.stringify({ file: path, ...written }, null, 2)
          : `Backed up ${plural(rows, 'row')} to ${path} (${formatBytes(bytes)}).`,
      )
    })
}

export function restoreCommand(terminal: Terminal): Command {
  return leaf('restore', 'put a backup into an empty data folder or database', [
    'restore hearth.backup --data ./restored',
    'restore hearth.backup                    into the empty database that DATABASE_URL names',
  ])
    .argument('<file>', 'a file that "hearth admin backup" wrote')
    .addHelpText(
      'after',
      `
Nothing is restored over a database that is in use. It works in every direction: from the embedded database to your own PostgreSQL (15 or later),
and back. Keys and devices that were revoked after the backup work again: compare with the audit log.`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const url = newDatabase(terminal, options)
      const source = keySource(url, readSessionSecret(terminal.environment))
      const { restoreBackup } = await import('../store/backup/restore-backup.ts')
      const { head, rows } = await restoreBackup(url, resolve(file), notes(terminal))
      const { keys, ...facts } = head
      if (keys && source.kind === 'file') source.file.write(keys)
      terminal.print(
        options.json
          ? JSON.stringify({ rows, ...facts, hasKey: keys !== undefined }, null, 2)
          : `Restored ${plural(rows, 'row')}, as they were at ${head.at}.\n${nextStep(head, source)}`,
      )
    })
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
function notes({ printError }: Terminal): (progress: Progress) => void {
  let noted = 0
  return ({ table, rows }) => {
    if (rows < noted + ROWS_PER_NOTE) return
    noted = rows
    printError(`${plural(rows, 'row')} so far (${table})`)
  }
}
