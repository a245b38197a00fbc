// `hearth uninstall`: removes what a start puts outside of its own folders, and says what is left.

import { isRunning, forgetInstance, listInstances } from '@hearth/instances'
import { confirm } from '@hearth/command-line/terminal/confirm'
import { installedPath, isInstalled, removeCommand } from '../installed/installed-command.ts'
import { UsageError } from '../start/options.ts'
import type { Say } from './say.ts'

export async function uninstall(isYes: boolean, say: Say): Promise<number> {
  const { env, stdin, stdout } = process
  const path = installedPath(env)
  const known = listInstances(env).filter(({ kind }) => kind === 'hearth')
  const running = known.find(isRunning)
  if (running)
    throw new UsageError(`Hearth runs in ${running.folder}. Stop it first: hearth stop --data ${running.folder}`)
  const kept = known.map(({ folder }) => `\n  ${folder}`).join('')
  const left = kept === '' ? '' : ` Your data stays until you delete it:${kept}`
  if (!isInstalled(env)) {
    say(`There is no command of Hearth in ${path}.${left}`)
    return 0
  }
  if (!isYes && !stdin.isTTY) throw new UsageError(`This removes ${path}. To confirm, add --yes`)
  if (!isYes && !(await confirm(`Remove ${path}?`, stdin, stdout))) {
    say('Nothing was removed.')
    return 1
  }
  removeCommand(env)
  for (const instance of known) forgetInstance(instance, env)
  say(
    `Removed ${path}.${left}\nThe program itself is the folder that you cloned. The next npm start in it installs the command again.`,
  )
  return 0
}
