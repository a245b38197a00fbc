// Names the programs that devices and clients of the organization may install. The hash comes from sources or from an archive that the
// administrator got elsewhere; the gateway's own word is only shown beside it.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, describeError } from '@hearth/command-line/errors'
import type { AppNotice } from '@hearth/command-line/install/app-notice'
import { fetchNotice } from '@hearth/command-line/install/fetch-app'
import { httpGet } from '@hearth/command-line/install/http-get'
import { DEVICE_APP, SEAL_PROGRAM } from '@hearth/command-line/install/program'
import { RELEASE_KEYS } from '@hearth/command-line/install/release-keys'
import { newestApps, readRelease, type NamedApp } from '@hearth/sealing'
import { askPerson } from './ask-person.ts'
import type { Context } from './context.ts'
import { openSeal } from './open-seal.ts'
import { openSigner, signChange } from './sign-change.ts'

type Offered = NamedApp & Pick<AppNotice, 'release'>

const PROGRAMS = [DEVICE_APP, SEAL_PROGRAM]
const HASH = /^[0-9a-f]{64}$/
/** How `npm run handouts` prints each program. */
const PRINTED = /^([0-9a-f]{64}) {2}(\S+) (\S+)$/gm

/** Without `where`, shows what the gateway hands out. */
export async function nameApps(where: string | undefined, isYes: boolean, context: Context): Promise<void> {
  const { screen } = context
  const open = await openSeal(context)
  const offered = await fetchOffered(open.access.gateway, context)
  const newest = newestApps(open.trusted.apps)
  const isNewest = ({ program, sha256 }: NamedApp) =>
    newest.some((app) => app.program === program && app.sha256 === sha256)
  for (const app of offered)
    screen.line(
      isNewest(app) ? 'good' : 'warn',
      `The gateway hands out ${describe(app)}: ${stateOf(app, open.trusted.apps, isNewest(app))}`,
    )
  if (where === undefined) {
    if (!offered.every(isNewest))
      screen.line('info', 'To name one: hearth-seal app <checkout or archive that you got elsewhere>')
    return
  }
  await openSigner(open, isYes, context)
  const computed = computeApps(where, offered)
  for (const app of computed) screen.line('info', `Computed: ${describe(app)}`)
  const wanted = computed.filter((app) => offered.some(({ sha256 }) => sha256 === app.sha256) && !isNewest(app))
  const others = computed.filter((app) => !offered.some(({ sha256 }) => sha256 === app.sha256))
  for (const { program } of others)
    screen.line(
      'bad',
      `The gateway hands out another ${program}. Don't name it unless you know why: it may have been changed`,
    )
  if (wanted.length === 0) return screen.line('info', 'Nothing to name')
  if (
    !(await askPerson(
      `Let devices and clients install ${wanted.map(({ program }) => program).join(' and ')}?`,
      isYes,
      context,
    ))
  )
    return
  const number = await signChange(context, open, (lists) => ({ ...lists, apps: withLast(lists.apps, wanted) }))
  screen.line(
    'good',
    `Named ${wanted.map(({ program, version }) => `${program} ${version}`).join(' and ')}. This is list ${number}`,
  )
}

async function fetchOffered(gateway: URL, { world }: Context): Promise<Offered[]> {
  const notices = PROGRAMS.map(async (program) => {
    const get = (url: URL, limits: { maxBytes: number; timeoutMs: number }) =>
      httpGet(url, { environment: world.environment, ...limits })
    const { version, sha256, release } = await fetchNotice(program, gateway, get)
    return { program: program.command, version, sha256, release }
  })
  return Promise.all(notices)
}

/** A hash is one that somebody else computed. */
function computeApps(where: string, offered: readonly NamedApp[]): NamedApp[] {
  if (HASH.test(where)) return [named(where, offered)]
  if (!existsSync(where))
    throw new CommandError(`There is no ${where}`, 'name a checkout of the source, an archive (app.tgz) or a hash')
  if (!statSync(where).isDirectory())
    return [named(createHash('sha256').update(readFileSync(where)).digest('hex'), offered)]
  if (!existsSync(join(where, 'package-lock.json')))
    throw new CommandError(`${where} is no checkout of the source`, 'name its folder, in which you ran npm ci')
  const ran = spawnSync('npm', ['run', '--silent', 'handouts'], { cwd: where, encoding: 'utf8' })
  const apps = [...(ran.stdout ?? '').matchAll(PRINTED)].map(([, sha256 = '', program = '', version = '']) => ({
    program,
    version,
    sha256,
  }))
  if (apps.length > 0) return apps
  const why = ran.error ? describeError(ran.error) : (ran.stderr.trim().split('\n').at(-1) ?? '')
  throw new CommandError(`npm run handouts failed in ${where}: ${why}`, 'run npm ci there first')
}

/** An archive doesn't say which program it is: the gateway does, and the hash has to be the same. */
function named(sha256: string, offered: readonly NamedApp[]): NamedApp {
  const same = offered.find((app) => app.sha256 === sha256)
  if (same) return { program: same.program, version: same.version, sha256 }
  throw new CommandError(
    `The gateway hands out nothing with the hash ${sha256}`,
    'what it hands out may have been changed: ask whoever runs it before you install or name anything',
  )
}

/** The last one counts, so what was named before and replaced is named again at the end. */
function withLast(named: readonly NamedApp[], wanted: readonly NamedApp[]): NamedApp[] {
  const isWanted = ({ program, sha256 }: NamedApp) =>
    wanted.some((app) => app.program === program && app.sha256 === sha256)
  return [...named.filter((app) => !isWanted(app)), ...wanted]
}

function stateOf({ program, sha256, release }: Offered, named: readonly NamedApp[], isNewest: boolean): string {
  const isNamed = named.some((app) => app.program === program && app.sha256 === sha256)
  const state = isNewest ? 'named by the seal' : isNamed ? 'replaced by a newer one that the seal names' : 'not named'
  const released = readRelease(release, RELEASE_KEYS)
  const isReleased = released?.program === program && released.sha256 === sha256
  return `${state}${isReleased ? ', a release of the project' : ''}`
}

function describe({ program, version, sha256 }: NamedApp): string {
  return `${program} ${version} (${sha256})`
}
