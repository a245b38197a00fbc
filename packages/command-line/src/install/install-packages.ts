// Installs the app's dependencies with the npm on this machine.

import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, StorageError } from '../errors.ts'
import { TRUST_ADVICE } from '../gateway/advise-connection.ts'
import { ownAuthorities } from '../gateway/known-authorities.ts'
import { howItEnded, isSuccess, readToEnd, type End } from '../processes/child-end.ts'

interface NpmRun {
  folder: string
  environment: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}

const ARGUMENTS = [
  'ci',
  '--omit=dev',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
]
const KEPT_LINES = 6
/** npm would wait 10 s and then 60 s, also for a certificate that it doesn't trust. */
const RETRIES = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '3000' }
/** In the folder of the app, while npm runs. */
const AUTHORITIES_FILE = 'authorities.pem'
/** Variables that belong to the `npm exec` that may have started us, not to the folder we install into. */
const FOREIGN = /^npm_(config_(package|local_prefix|yes|call|workspace|workspaces)|package_json|lifecycle_.*|command)$/i

/** Installs exactly what the folder's lockfile lists, without running any package's scripts. */
export async function installPackages({ folder, environment, timeoutMs }: NpmRun): Promise<void> {
  const [command, ...args] = npmCommand(environment)
  const kept = Object.entries(environment).filter(([name]) => !FOREIGN.test(name))
  const authorities = ownAuthorities(environment)
  const authoritiesFile = join(folder, AUTHORITIES_FILE)
  writeFileSync(authoritiesFile, authorities.join('\n'))
  const child = spawn(command, [...args, ...ARGUMENTS], {
    cwd: folder,
    env: {
      ...RETRIES,
      ...Object.fromEntries(kept),
      // A Node that is too old to find those of the system reads this one.
      ...(authorities.length > 0 && { NODE_EXTRA_CA_CERTS: authoritiesFile }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    windowsHide: true,
    // On Windows npm is a script that only starts through the shell. None of the arguments come from outside.
    shell: process.platform === 'win32' && command === 'npm',
  })
  const { end, said } = await readToEnd(child)
  rmSync(authoritiesFile, { force: true })
  if (!isSuccess(end)) throw explain(end, said)
}

/** The npm that started us, with its Node; otherwise the npm on the PATH. */
function npmCommand(environment: NpmRun['environment']): [string, ...string[]] {
  const script = environment['npm_execpath']
  return script !== undefined && /npm-cli\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
}

function explain(end: End, said: string): CommandError {
  if ((end.name === 'failed' && /ENOENT/.test(end.message)) || /npm.*(not found|not recognized)/i.test(said))
    return new CommandError(
      "Can't find npm",
      'install Node.js from https://nodejs.org, which includes npm, and try again',
    )
  if (/ENOSPC/.test(said)) return new StorageError("Can't install: the disk is full", 'free up space and try again')
  if (end.name === 'killed') return new CommandError('npm took too long', 'check your network connection and try again')
  const lines = said.split('\n').filter((line) => /^npm (error|ERR!) ./.test(line))
  const why = lines.slice(0, KEPT_LINES).map((line) => line.replace(/^npm (error|ERR!) /, ''))
  return new CommandError(
    `npm couldn't install the app's dependencies: ${why.join('; ') || `it ended with ${howItEnded(end)}`}`,
    adviseNpm(said),
  )
}

function adviseNpm(said: string): string {
  if (/CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/.test(said))
    return `check this machine's clock: it says ${new Date().toISOString()}`
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)/.test(said)) return TRUST_ADVICE
  return 'check that this machine can reach the npm registry: npm ping'
}
