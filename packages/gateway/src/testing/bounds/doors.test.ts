import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { ROUTES } from '../../console-api/routes/document.ts'
import { handOutPrograms } from '../../device-app/handed-out-program.ts'
import type { Route } from '../../http/route.ts'
import { openRoutes } from '../../wiring/open-routes.ts'
import type { Parts } from '../../wiring/parts.ts'
import type { Bound } from './bound.ts'
import { BOUNDS, type Answering, type Bounded } from './bounds.ts'
import { DOORS } from './doors.ts'

const SOURCES = fileURLToPath(new URL('../../', import.meta.url))
const bounds: Readonly<Record<string, Bound>> = BOUNDS
const doors = Object.entries(DOORS).flatMap(([kind, each]) =>
  Object.entries<Bounded>(each).map(([name, door]) => ({ kind, name, ...door })),
)

/** Nothing is asked of them here. */
function routes(): readonly Route[] {
  const { routes: all, lastRoute } = openRoutes(readConfig({}), {
    fleet: {},
    budgets: {},
    programs: handOutPrograms(),
  } as Parts)
  return [...all, lastRoute]
}

describe.each(doors)('the door $kind $name', ({ keeps, takes }) => {
  it('has bounds for the time it takes, and for all that it keeps', () => {
    const timed = takes.filter((name) => bounds[name]?.of.includes('processor'))
    const kept = keeps.filter((name) => bounds[name]?.of.some((one) => one !== 'processor'))
    expect(timed.length).toBeGreaterThan(0)
    expect(kept).toStrictEqual(keeps)
  })
})

const answering = doors.filter(
  ({ kind, name }) => /^(httpPaths|apiOperations|consoleCalls)$/.test(kind) && !name.endsWith('/link'),
)

describe.each(answering)('the answer of $kind $name', (door) => {
  it('has a bound while nobody reads it', () => {
    const { answers = [] } = door as Partial<Answering>
    expect(answers.filter((name) => bounds[name]?.of.includes('memory'))).not.toStrictEqual([])
  })
})

describe('answers', () => {
  it('go through an outlet, which counts what is not read, unless all share one copy', () => {
    const files = globSync('{http,console-api}/**/*.ts', { cwd: SOURCES }).filter(
      (path) => !/testing|\.test\.ts$|\.contract\.ts$/.test(path),
    )
    const around = files.filter((path) =>
      /\bresponse\.(end|write|writeHead)\(|\.pipe\(|pipeline\(/.test(readFileSync(SOURCES + path, 'utf8')),
    )
    // The relay ends a response whose pieces have a budget of their own.
    expect(around.toSorted()).toStrictEqual(['http/console/console-files.ts', 'http/devices/device-relay.ts'])
  })
})

describe('the doors', () => {
  it('are all paths that routes answer, and no others', () => {
    const paths = routes().flatMap((route) => route.paths)
    expect(Object.keys(DOORS.httpPaths).toSorted()).toStrictEqual([...paths, '/device/v1/link'].toSorted())
  })

  it('are paths that their route has', () => {
    for (const route of routes())
      for (const path of route.paths) expect(route.has(path.replace('*', 'a'.repeat(64))), path).toBe(true)
  })

  it('are all operations of the console API, and no others', () => {
    const operations = ROUTES.map(({ operationId }) => operationId)
    expect(Object.keys(DOORS.consoleCalls).toSorted()).toStrictEqual(operations.toSorted())
  })

  it('are all subjects of the bus that the gateway listens to', () => {
    const files = globSync('{access,fleet}/**/*.ts', { cwd: SOURCES }).filter(
      (path) => !/simulator|testing|\.test\.ts$|\.contract\.ts$/.test(path),
    )
    const texts = files.map((path) => readFileSync(SOURCES + path, 'utf8'))
    const listened = texts.flatMap((text) =>
      [...text.matchAll(/\bbus\.subscribe\(([^,]+),/g)].map(([, name = '']) => name),
    )
    // Rate limits and budgets have one.
    const subjects = [...new Set(listened)].toSorted()
    expect(subjects).toStrictEqual(['HEARTBEATS', 'SUBJECT', '`hearth.to.${this.self}`'])
    expect(Object.keys(DOORS.busSubjects)).toHaveLength(subjects.length)
  })
})
