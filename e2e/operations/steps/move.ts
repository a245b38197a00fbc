import { join } from 'node:path'
import { startOwnPostgres } from '../own-postgres.ts'
import { runCommand } from '../run-command.ts'
import { readTables, sameTables } from '../tables.ts'
import { figure, seconds, type Figure, type Week } from '../week.ts'

/** Moves to a PostgreSQL of the operator's own, and back into a new folder. */
export async function move(week: Week): Promise<Figure[]> {
  const hearth = await week.hearth()
  const { key } = hearth.client
  await using postgres = await startOwnPostgres()
  const [there, back] = [join(week.folder, 'there.backup'), join(week.folder, 'back.backup')]
  let since = performance.now()
  await week.stop()
  await hearth.run('admin', 'backup', '--with-key', there)
  const source = await readTables(hearth.database)
  const printed = await runCommand(['admin', 'restore', there], { DATABASE_URL: postgres.url })
  const [, secret = ''] = /SESSION_SECRET.*\n\s*(\S+)/.exec(printed) ?? []
  const same = sameTables('compared with the source', source, await readTables(postgres.url))
  const environment = { DATABASE_URL: postgres.url, SESSION_SECRET: secret }
  const moved = await week.start({ data: join(week.folder, 'moved'), key, environment })
  await moved.ask()
  const gone = seconds('without an answer, there', since, 120)

  since = performance.now()
  await moved.run('stop')
  await runCommand(['admin', 'backup', '--with-key', back], environment)
  const own = await readTables(postgres.url)
  const data = join(week.folder, 'back')
  await runCommand(['admin', 'restore', back, '--data', data])
  const returned = sameTables(
    'compared again, in a new folder',
    own,
    await readTables(`embedded:${join(data, 'gateway')}`),
  )
  await using home = await week.start({ data, key })
  await home.ask()
  const version = figure('PostgreSQL', postgres.version, true)
  return [version, same, gone, returned, seconds('without an answer, back', since, 120)]
}
