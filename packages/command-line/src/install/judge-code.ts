// Decides whether a program that a gateway hands out may be installed. The gateway has no say in it: either the organization's seal names the
// hash of the archive, or the project has signed it as a release, or a person who sees both hashes says yes.

import type { NamedApp } from '@hearth/sealing'
import { readRelease } from '@hearth/sealing/documents/release'
import { CommandError } from '../errors.ts'
import { confirm, type Input } from '../terminal/confirm.ts'
import type { Output, Screen } from '../terminal/screen.ts'
import type { AppFolder } from './app-folder.ts'
import type { AppNotice } from './app-notice.ts'
import { RELEASE_KEYS } from './release-keys.ts'

export interface CodeRoots {
  /** What the pinned seal names, if one is pinned: of each program the newest build. */
  named?: readonly NamedApp[]
  /** Whom to ask if the seal doesn't name it. With this, nothing else is installed, whoever says yes. */
  whomToAsk?: string
  releaseKeys?: readonly string[]
}

export interface Asking {
  screen: Screen
  /** `--yes` */
  isYes: boolean
  stdin?: Input
  stdout: Output
}

/** Throws CommandError if it may not be installed. The first installation is the one moment when there is nothing to compare with. */
export async function judgeCode(notice: AppNotice, folder: AppFolder, roots: CodeRoots, asking: Asking): Promise<void> {
  const { program } = folder
  const before = folder.current()
  const { version, sha256 } = notice
  const running = before === undefined ? undefined : /^(.*)-[0-9a-f]{12}$/.exec(before)?.[1]
  if (running !== undefined && compareVersions(version, running) < 0)
    throw new CommandError(
      `The gateway hands out ${program.title} ${version}, which is older than ${running}, which runs here`,
      'old versions may have holes that are known. Ask whoever runs the gateway to update it',
    )
  const isSame = (app: NamedApp | undefined) =>
    app?.program === program.command && app.version === version && app.sha256 === sha256
  if (roots.named?.some(isSame)) return asking.screen.line('good', "Your organization's seal names this code")
  const isReleased = isSame(readRelease(notice.release, roots.releaseKeys ?? RELEASE_KEYS))
  const named = roots.named?.find((app) => app.program === program.command)
  const instead = named === undefined ? '' : `. It names ${named.version} (${named.sha256})`
  if (roots.whomToAsk !== undefined)
    throw new CommandError(
      `Your organization's seal doesn't name ${program.title} ${version} (${sha256}), so it was not installed${instead}${isReleased ? '. The project has released it' : ''}`,
      roots.whomToAsk,
    )
  if (isReleased) return asking.screen.line('good', 'Signed by the project as a release')
  if (before !== undefined) await askAboutChange(folder.hashOf(before), notice, asking)
}

async function askAboutChange(before: string, { version, sha256 }: AppNotice, asking: Asking): Promise<void> {
  const { screen, isYes, stdin, stdout } = asking
  screen.line('warn', 'This code comes from the gateway alone: no seal names it, and it is no release of the project')
  screen.line('info', `Now:  ${before}`)
  screen.line('info', `Then: ${version}, ${sha256}`)
  if (isYes) return
  if (stdin?.isTTY !== true)
    throw new CommandError(
      'Nobody is here to answer, so it was not installed',
      'compare the hash with npm run handouts in a checkout of the source, then run it in a terminal or add --yes',
    )
  if (await confirm('Install it?', stdin, stdout)) return
  throw new CommandError('Nothing was installed')
}

/** A pre-release comes before its release. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  const index = a.numbers.findIndex((number, index) => number !== b.numbers[index])
  if (index >= 0) return (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0)
  if (a.rest === b.rest) return 0
  if (a.rest === '' || b.rest === '') return a.rest === '' ? 1 : -1
  return a.rest.localeCompare(b.rest, 'en', { numeric: true })
}

function partsOf(version: string): { numbers: number[]; rest: string } {
  const [numbers = '', ...rest] = version.split('-')
  return { numbers: numbers.split('.').map(Number), rest: rest.join('-') }
}
