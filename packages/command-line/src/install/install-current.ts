// Installs the version of a program that a gateway hands out, makes it the current one and says how to run it. It runs on the machine's own
// Node, so it and everything it imports must work on Node 20.

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { knownAuthorities } from '../gateway/known-authorities.ts'
import type { Screen } from '../terminal/screen.ts'
import { runFile, type AppFolder } from './app-folder.ts'
import { versionName } from './app-notice.ts'
import { fetchNotice, type Get } from './fetch-app.ts'
import { httpGet } from './http-get.ts'
import { installVersion } from './install-version.ts'
import { judgeCode, type CodeRoots } from './judge-code.ts'

type Environment = Record<string, string | undefined>

/** Returns the name of the installed version. */
export async function installCurrent(
  gateway: URL,
  folder: AppFolder,
  environment: Environment,
  screen: Screen,
  { roots, isYes }: { roots: CodeRoots; isYes: boolean },
): Promise<string> {
  const { title } = folder.program
  const own = { environment: withProxyOfNpm(environment), authorities: knownAuthorities(environment) }
  const get: Get = (url, limits) => httpGet(url, { ...own, ...limits })
  const notice = await fetchNotice(folder.program, gateway, get)
  const name = versionName(notice)
  if (existsSync(runFile(folder.version(name))))
    screen.line('good', `The ${title} ${notice.version} is already installed`)
  else {
    await judgeCode(notice, folder, roots, { screen, isYes, stdin: process.stdin, stdout: process.stdout })
    await installVersion(gateway, notice, folder, { environment, get, screen })
    screen.line('good', `Installed ${title} ${notice.version} in ${folder.home}`)
  }
  screen.line('info', `SHA-256 of its archive: ${notice.sha256}`)
  folder.choose(name)
  adviseCommand(folder, environment, screen)
  return name
}

function adviseCommand({ command, program }: AppFolder, environment: Environment, screen: Screen): void {
  screen.line('info', `To run it: ${command}`)
  if (!(environment['PATH'] ?? '').includes(dirname(command)))
    screen.line('info', `To run it as ${program.command}: ${pathAdvice(dirname(command))}`)
}

/** npm may have a proxy configured that is not in the environment. */
function withProxyOfNpm(environment: Environment): Environment {
  const { npm_config_https_proxy: secure, npm_config_proxy: plain, npm_config_noproxy: none } = environment
  return {
    ...((secure ?? plain) && { HTTPS_PROXY: secure ?? plain }),
    ...(plain && { HTTP_PROXY: plain }),
    ...(none && { NO_PROXY: none }),
    ...environment,
  }
}

function pathAdvice(folder: string): string {
  return process.platform === 'win32' ? `setx PATH "%PATH%;${folder}"` : `export PATH="${folder}:$PATH"`
}
