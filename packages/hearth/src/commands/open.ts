// `hearth open`: the console in the browser of this machine.

import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isOurs } from '@hearth/command-line/files/private-folder'
import type { Instance } from '@hearth/instances'
import { findInstance } from './find-instance.ts'
import { describeRest, NOT_RUNNING } from './not-running.ts'
import { sayTo } from './say.ts'

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

export async function openConsole({ data, isPrint }: { data: string | undefined; isPrint: boolean }): Promise<number> {
  const found = findInstance({ data, environment: process.env })
  if (found?.isRunning !== true) {
    sayTo(process.stderr)(describeRest(found?.instance, data))
    return NOT_RUNNING
  }
  const { instance } = found
  const path = await ownerPath(instance)
  const url = instance.publicUrl ?? instance.url
  console.log(url + (path ?? '/'))
  if (path !== undefined) console.log('(this link works once and makes you the owner)')
  if (!isPrint && hasBrowser()) openInBrowser(path === undefined ? url : hideLink(instance, url + path))
  return 0
}

/** The owner's first sign-in, if it is still to come. */
async function ownerPath({ database }: Instance): Promise<string | undefined> {
  // Of another PostgreSQL, only DATABASE_URL has the password, and what a service keeps is for its own account.
  if (database === undefined || !isOurs(database)) return undefined
  const [{ openStore }, { findOwnerLink }] = await Promise.all([
    import('@hearth/gateway'),
    import('../start/first-run.ts'),
  ])
  const store = await openStore(`embedded:${database}`)
  try {
    const path = await findOwnerLink(store)
    await store.changesAreKnown()
    return path
  } finally {
    await store.close()
  }
}

/** Everyone on the machine can see the arguments of a process, so the browser gets a file that only its owner can read. */
function hideLink({ folder }: Instance, target: string): string {
  const file = join(folder, 'open-console.html')
  rmSync(file, { force: true })
  const link = JSON.stringify(target)
  writeFileSync(file, `<!doctype html><script>location.replace(${link})</script>\n`, { mode: 0o600, flag: 'wx' })
  return pathToFileURL(file).href
}

function openInBrowser(link: string): void {
  const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [link], { stdio: 'ignore', detached: true })
  // The link is on the screen, for a machine without a browser.
  child.on('error', () => undefined)
  child.unref()
}

/** Without a screen, as over SSH, the link is all there is. */
function hasBrowser(): boolean {
  const { DISPLAY: x11, WAYLAND_DISPLAY: wayland } = process.env
  return process.platform in OPENERS || Boolean(x11 || wayland)
}
