import { join } from 'node:path'
import type { Hearth } from '../hearth.ts'
import { runCommand } from '../run-command.ts'
import { isSame, readTables, sameTables, type Tables } from '../tables.ts'
import { seconds, type Figure, type Week } from '../week.ts'

/** Usage of the last requests is written within seconds. */
const TRIES = 10

/** Restores into another folder, compares every table, and starts there. */
export async function restore(week: Week): Promise<Figure[]> {
  const hearth = await week.hearth()
  const { file, tables } = await backUpQuietly(hearth, week.folder)
  const data = join(week.folder, 'restored')
  const since = performance.now()
  console.log(await runCommand(['admin', 'restore', file, '--data', data]))
  const took = seconds('hearth admin restore', since, 60)
  const same = sameTables('compared with the source', tables, await readTables(`embedded:${join(data, 'gateway')}`))
  const started = performance.now()
  await using restored = await week.start({ data, key: hearth.client.key })
  await restored.ask()
  return [took, same, seconds('from the start there to an answer, with the old key', started, 60)]
}

/** A backup of a moment that can be compared: nothing was written before, during and after it. */
async function backUpQuietly(hearth: Hearth, folder: string): Promise<{ file: string; tables: Tables }> {
  for (let count = 1; count <= TRIES; count++) {
    const file = join(folder, `${count}.backup`)
    const tables = await readTables(hearth.database)
    console.log(await hearth.run('admin', 'backup', '--with-key', file))
    if (isSame(tables, await readTables(hearth.database))) return { file, tables }
  }
  throw new Error(`Something was written during each of ${TRIES} backups, although nobody asked anything`)
}
