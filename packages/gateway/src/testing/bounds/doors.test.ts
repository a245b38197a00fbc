import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { handOutPrograms } from '../../device-app/handed-out-program.ts'
import type { Route } from '../../http/route.ts'
import { openRoutes } from '../../wiring/open-routes.ts'
import type { Parts } from '../../wiring/parts.ts'
import type { Bound, Resource } from './bound.ts'
import { BOUNDS } from './bounds.ts'
import { BUS_SUBJECTS, DEVICE_FRAMES, HTTP_PATHS, PEER_MESSAGES } from './doors.ts'

const SOURCES = fileURLToPath(new URL('../../', import.meta.url))
const BOTH: readonly Resource[] = ['memory', 'processor']
const doors = Object.entries({ ...HTTP_PATHS, ...DEVICE_FRAMES, ...PEER_MESSAGES, ...BUS_SUBJECTS })

/** Nothing is asked of them here. */
function routes(): readonly Route[] {
  const { routes: all, lastRoute } = openRoutes(readConfig({}), {
    fleet: {},
    budgets: {},
    programs: handOutPrograms(),
  } as Parts)
  return [...all, lastRoute]
}

/** The product's sources below these folders, with their paths. */
function sources(folders: string): [path: string, text: string][] {
  return globSync(`${folders}/**/*.ts`, { cwd: SOURCES })
    .filter((path) => !/simulator|testing|\.test\.ts$|\.contract\.ts$/.test(path))
    .map((path) => [path, readFileSync(SOURCES + path, 'utf8')])
}

describe('the doors', () => {
  it.each(doors)('%s: the time that it takes and the memory that it keeps are bounded', (_, names) => {
    const of = new Set(names.flatMap((name) => (BOUNDS[name] as Bound).of ?? BOTH))
    expect([of.has('processor'), of.has('memory')]).toEqual([true, true])
  })

  it('are all paths that routes answer, and no others', () => {
    const paths = routes().flatMap((route) => route.paths)
    expect(Object.keys(HTTP_PATHS).toSorted()).toStrictEqual([...paths, '/device/v1/link'].toSorted())
  })

  it('are paths that their route has', () => {
    for (const route of routes())
      for (const path of route.paths) expect(route.has(path.replace('*', 'a'.repeat(64))), path).toBe(true)
  })

  it('are all subjects of the bus that the gateway listens to', () => {
    const listened = sources('{access,fleet}').flatMap(([, text]) =>
      [...text.matchAll(/\bbus\.subscribe\(([^,]+),/g)].map(([, name = '']) => name),
    )
    // Rate limits and budgets have one.
    const subjects = [...new Set(listened)].toSorted()
    expect(subjects).toStrictEqual(['HEARTBEATS', 'SUBJECT', '`hearth.to.${this.self}`'])
    expect(Object.keys(BUS_SUBJECTS)).toHaveLength(subjects.length)
  })

  it('answer through an outlet, which counts what is not read, unless all share one copy', () => {
    const around = sources('{http,console-api}').filter(([, text]) =>
      /\bresponse\.(end|write|writeHead)\(|\.pipe\(|pipeline\(/.test(text),
    )
    // The relay ends a response whose pieces have a budget of their own.
    const paths = around.map(([path]) => path).toSorted()
    expect(paths).toStrictEqual(['http/console/console-files.ts', 'http/devices/device-relay.ts'])
  })
})
