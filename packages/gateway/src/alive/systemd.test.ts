import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'
import { openSystemd } from './systemd.ts'

it('passes on what systemd wants to know, in order, by its own command', async () => {
  const folder = scratchFolder()
  const [command, told] = [join(folder, 'systemd-notify'), join(folder, 'told')]
  writeFileSync(command, `#!/bin/sh\necho "$1 to $NOTIFY_SOCKET" >> '${told}'\n`)
  chmodSync(command, 0o755)
  const systemd = openSystemd({ PATH: `${folder}:${process.env['PATH']}`, NOTIFY_SOCKET: '/run/notify' })
  systemd.tell('READY=1')
  systemd.tell('WATCHDOG=1')
  await expect
    .poll(() => readFileSync(told, { encoding: 'utf8', flag: 'a+' }))
    .toBe('READY=1 to /run/notify\nWATCHDOG=1 to /run/notify\n')
})
