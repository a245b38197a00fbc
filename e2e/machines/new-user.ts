// README's two commands on a small Debian: as root and as an ordinary user, each in a closed home.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '@hearth/gateway/local-servers'
import { inDebian, makeDebian, type Debian, type User } from './debian.ts'
import { bash, type Machine } from './machine.ts'

const SUITES = { 11: 'bullseye', 12: 'bookworm', 13: 'trixie' } as const
const RELEASES = [12, 11, 13] as const

export const NEW_USERS: readonly Machine[] = [
  ...RELEASES.flatMap((release) => [
    newUser(`debian-${release}-root`, `a small Debian ${release}, as root`, { suite: SUITES[release] }, 'root'),
    newUser(
      `debian-${release}-user`,
      `a small Debian ${release}, as an ordinary user`,
      { suite: SUITES[release] },
      'ann',
    ),
  ]),
  newUser('arm64', 'a small Debian 13 for arm64, emulated', { suite: 'trixie', processor: 'arm64' }, 'ann'),
]

function newUser(name: string, what: string, debian: Debian, user: User): Machine {
  return { name, what, run: async () => start(await makeDebian(debian), user) }
}

async function start(root: string, user: User): Promise<string> {
  const installing = inDebian(root, user, 'npm ci')
  if ((await installing.exited) !== 0) throw new Error(installing.output())
  const port = await freePort()
  const hearth = inDebian(root, user, `npm start -- --port ${port} --model packages/device/tiny-model/tiny.gguf`)
  await hearth.heard(/Press Ctrl-C to stop/)
  const [curl] = await hearth.heard(/^ {2}curl .*$/m)
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  const { choices } = JSON.parse(stdout) as { choices: { message: { content: string } }[] }
  hearth.interrupt()
  const code = await hearth.exited
  if (code !== 0 || choices[0]!.message.content === '') throw new Error(`${stdout}\n${hearth.output()}`)
  await bash(`rm -rf --one-file-system ${root}`)
  return 'installs, starts, answers, stops'
}
