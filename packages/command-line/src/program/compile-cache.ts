// What Node has compiled is kept for the next start, which makes it quick. Node runs what it finds there, and its own choice is a folder with a
// name that everyone can guess, in the temporary folder that all accounts share. So it is a folder of ours, or none.

import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { makePrivateFolder } from '../files/private-folder.ts'

/** To be called first. It holds for every process that this one starts, npm too. What the user has set stays. */
export function openCompileCache(): void {
  const { NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE: isDisabled } = process.env
  if (chosen || isDisabled) return
  const folder = makePrivateFolder(join(cacheHome(process.env), 'compiled'))
  if (folder === undefined) {
    process.env['NODE_DISABLE_COMPILE_CACHE'] = '1'
    return
  }
  process.env['NODE_COMPILE_CACHE'] = folder
  // An installer runs on the machine's own Node, which may not have it.
  module.enableCompileCache?.(folder)
}

function cacheHome({ XDG_CACHE_HOME: chosen, LOCALAPPDATA: local, HOME: home }: NodeJS.ProcessEnv): string {
  if (chosen !== undefined && isAbsolute(chosen)) return join(chosen, 'hearth')
  const own = home || homedir()
  if (process.platform === 'darwin') return join(own, 'Library', 'Caches', 'Hearth')
  if (process.platform === 'win32') return join(local ?? join(own, 'AppData', 'Local'), 'Hearth', 'cache')
  return join(own, '.cache', 'hearth')
}
