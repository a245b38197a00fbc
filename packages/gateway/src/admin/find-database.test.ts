import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describeInstance, registerInstance } from '@hearth/instances'
import { beforeEach, describe, expect, it } from 'vitest'
import { findDatabase } from './find-database.ts'
import { InputError } from './input-error.ts'

let home: string
let environment: Record<string, string>
beforeEach(() => {
  home = scratchFolder()
  environment = { XDG_STATE_HOME: join(home, 'state') }
})

function find(options: { data?: string; isChange?: boolean } = {}, mayCreate = false) {
  return findDatabase({ environment, here: home }, options, mayCreate)
}

/** A data folder as `npm start` makes it. */
function makeData(name: string): string {
  const folder = join(home, name)
  mkdirSync(join(folder, 'gateway', 'postgres'), { recursive: true })
  writeFileSync(join(folder, 'gateway', 'postgres', 'PG_VERSION'), '18\n')
  return folder
}

function register(folder: string, { pid = process.pid, isElsewhere = false } = {}): void {
  const database = isElsewhere ? {} : { database: join(folder, 'gateway') }
  const about = { kind: 'hearth' as const, folder, url: 'http://127.0.0.1:9000', ...database }
  registerInstance({ ...describeInstance(about), pid }, environment)
}

describe('the database of a command', () => {
  it('is the one that it names, by its own folder or by the data folder', () => {
    const data = makeData('a')
    register(makeData('b'))
    const url = `embedded:${join(data, 'gateway')}`
    expect(find({ data })).toStrictEqual({ url })
    expect(find({ data: join(data, 'gateway') })).toStrictEqual({ url })
    environment['DATABASE_URL'] = `embedded:${data}`
    expect(find()).toStrictEqual({ url })
    environment['DATABASE_URL'] = 'postgres://somewhere/hearth'
    expect(find()).toStrictEqual({ url: 'postgres://somewhere/hearth' })
  })

  it('is never created for a question', () => {
    expect(() => find({ data: join(home, 'c') })).toThrow(InputError)
    expect(find({ data: join(home, 'c') }, true)).toStrictEqual({ url: `embedded:${join(home, 'c')}` })
    expect(readdirSync(home)).toStrictEqual([])
  })

  it('is one that another account could have left where the person is only if it is named', () => {
    const database = join(makeData('data'), 'gateway')
    expect(find()).toStrictEqual({ url: `embedded:${database}` })
    chmodSync(database, 0o777)
    expect(() => find()).toThrow(`belongs to another account. If you mean it, name it: --data ${database}`)
    expect(find({ data: database })).toStrictEqual({ url: `embedded:${database}` })
  })

  it('has the address of its gateway, also if it is named, and that for others if there is one', () => {
    const data = makeData('a')
    const about = { kind: 'gateway' as const, folder: data, url: 'http://127.0.0.1:9000', publicUrl: 'https://h.test' }
    registerInstance(describeInstance({ ...about, database: join(data, 'gateway') }), environment)
    const found = { url: `embedded:${join(data, 'gateway')}`, gatewayUrl: 'https://h.test' }
    expect([find(), find({ data })]).toStrictEqual([found, found])
    environment['DATABASE_URL'] = `embedded:${data}`
    expect(find()).toStrictEqual(found)
  })

  it('has the address of the only gateway here whose database is in another PostgreSQL', () => {
    environment['DATABASE_URL'] = 'postgres://somewhere/hearth'
    register(makeData('a'), { isElsewhere: true })
    expect(find()).toStrictEqual({ url: 'postgres://somewhere/hearth', gatewayUrl: 'http://127.0.0.1:9000' })
    register(makeData('b'), { isElsewhere: true })
    expect(find()).toStrictEqual({ url: 'postgres://somewhere/hearth' })
  })

  it('is that of the checkout where the person is, in any of its folders', () => {
    const data = makeData('data')
    register(makeData('b'), { pid: 0 })
    writeFileSync(join(home, 'package.json'), '{"name": "hearth", "workspaces": []}')
    mkdirSync(join(home, 'docs'))
    const found = findDatabase({ environment, here: join(home, 'docs') }, {})
    expect(found.url).toBe(`embedded:${join(data, 'gateway')}`)
  })

  it('is that of the Hearth that runs, with its address, and is named if several do', () => {
    const running = makeData('a')
    register(running)
    register(makeData('b'), { pid: 0 })
    const found = { url: `embedded:${join(running, 'gateway')}`, gatewayUrl: 'http://127.0.0.1:9000' }
    expect(find()).toStrictEqual(found)
    register(makeData('c'))
    expect(find().note).toMatch(/^Using .*, one of 2 on this machine/)
    expect(() => find({ isChange: true })).toThrow(
      /not clear which[^]*--data .*c \(running\)[^]*--data .*a \(running\)/,
    )
    environment['HEARTH_DATA'] = running
    expect(find({ isChange: true })).toStrictEqual(found)
  })

  it('is that of the folder where the person is, if no other one runs', () => {
    makeData('data')
    expect(find()).toStrictEqual({ url: `embedded:${join(home, 'data', 'gateway')}` })
    register(makeData('a'))
    expect(find().url).toBe(`embedded:${join(home, 'a', 'gateway')}`)
  })

  it('has to be named if it is in another PostgreSQL', () => {
    const data = join(home, 'a')
    mkdirSync(data)
    register(data, { isElsewhere: true })
    expect(() => find()).toThrow(/Set DATABASE_URL/)
  })
})
