// Another machine: it has its own home folder and none of this repository's commands, only npm and Node as installed on the system. It
// shares the npm cache, so that nothing is downloaded twice.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { MARK } from '../../../scripts/test-place/end-with-this-process.ts'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

export interface AnotherMachine extends Disposable {
  home: string
  /** Runs a line as if someone pasted it into a shell. */
  paste(line: string): Pasted
}

export interface Pasted extends WatchedOutput {
  /** Ctrl-C, which a terminal sends to every process that the line started. Resolves when all of them have ended. */
  interrupt(): Promise<void>
}

export function anotherMachine(): AnotherMachine {
  const home = mkdtempSync(join(tmpdir(), 'another-machine-'))
  const environment = { ...foreignEnvironment(), HOME: home }
  const running = new Set<ChildProcess>()
  return {
    home,
    paste(line) {
      const child = spawn('sh', ['-c', `exec ${line}`], {
        cwd: home,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      running.add(child)
      return watch(child)
    },
    [Symbol.dispose]() {
      for (const child of running) killGroup(child)
      rmSync(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 })
    },
  }
}

function watch(child: ChildProcess): Pasted {
  const watched = watchOutput(child)
  return {
    ...watched,
    async interrupt() {
      process.kill(-child.pid!, 'SIGINT')
      await watched.exited
    },
  }
}

/** Without the variables that npm and this repository set. */
function foreignEnvironment(): Record<string, string | undefined> {
  const ours = /^(npm_|HEARTH_|NODE_|VITEST|INIT_CWD)/i
  const own = Object.entries(process.env).filter(([name]) => name === MARK || !ours.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/node_modules[\\/]\.bin/.test(folder))
  const [cache, userConfig] = ['cache', 'userconfig'].map((name) =>
    execFileSync('npm', ['config', 'get', name], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim(),
  )
  return {
    ...Object.fromEntries(own),
    PATH: path.join(delimiter),
    npm_config_cache: cache,
    npm_config_userconfig: userConfig,
    npm_config_prefer_offline: 'true',
  }
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
