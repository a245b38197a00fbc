// The container image, built from base images that are made here, and run with its own settings as its own user.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@hearth/gateway/local-servers'
import { watchOutput } from '../harness/processes/watch-output.ts'
import { enter, type Entered } from './enter.ts'
import { bash } from '../harness/processes/bash.ts'
import { ROOT, WORK, type Machine } from './machine.ts'
import { makeSystem, NPM_CACHE } from './system.ts'

const BUILDAH = `buildah --root ${WORK}/storage --runroot ${WORK}/storage-run --storage-driver vfs`
/** With the tags alone: what stands in for the base images has other digests. */
const DOCKERFILE = join(WORK, 'Dockerfile')
const CHROOT = { BUILDAH_ISOLATION: 'chroot' }

interface Configuration {
  User: string
  Env: string[]
  Cmd: string[]
  WorkingDir: string
  Healthcheck: { Test: string[] }
}

export const IMAGE: Machine = {
  name: 'image',
  what: 'the container image, built with buildah',
  async run() {
    await makeBaseImages()
    await bash(`sed 's/@sha256:[0-9a-f]*//' deploy/Dockerfile > ${DOCKERFILE}`)
    await bash(
      `${BUILDAH} bud --pull-never --format docker --ignorefile deploy/Dockerfile.dockerignore --volume ${NPM_CACHE.join(':')} -f ${DOCKERFILE} -t hearth-gateway .`,
      CHROOT,
    )
    const root = await bash(`${BUILDAH} mount $(${BUILDAH} from hearth-gateway)`)
    const { Docker } = JSON.parse(await bash(`${BUILDAH} inspect --type image hearth-gateway`)) as {
      Docker: { config: Configuration }
    }
    return tryImage(root, Docker.config)
  },
}

/** The build gets a Debian with Node 26 and its npm, the image one without them and what they need. */
async function makeBaseImages(): Promise<void> {
  const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const [build, final] = [...dockerfile.matchAll(/^FROM ([^@\s]+)/gm)].map(([, tag]) => tag!)
  const root = await makeSystem({ suite: 'bookworm', node: 26 })
  const container = await bash(`${BUILDAH} from scratch`)
  await bash(
    `
    ${BUILDAH} copy --quiet ${container} ${root} /
    ${BUILDAH} commit --quiet ${container} ${build}
    ${BUILDAH} run ${container} sh -c 'dpkg --purge libatomic1 && rm -r /opt/* /usr/local/bin/*'
    ${BUILDAH} commit --quiet --rm ${container} ${final}
    rm -rf --one-file-system ${root}`,
    CHROOT,
  )
}

async function tryImage(root: string, { User, Env, Cmd, WorkingDir, Healthcheck }: Configuration): Promise<string> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const volume = join(WORK, 'volume')
  await bash(`cp -a ${root}/data ${volume}`)
  const start = () =>
    enter({
      root,
      user: User,
      lines: inFolder(WorkingDir, Cmd),
      environment: [...Env, `PORT=${port}`],
      mounts: [[volume, '/data']],
    })
  const isHealthy = async (gateway: Entered) => {
    await gateway.heard(/"listening"/)
    await gateway.runBeside(inFolder(WorkingDir, Healthcheck.Test.slice(1)))
  }
  await using first = start()
  await isHealthy(first)
  for (const path of ['/', '/device/v1/app.tgz', '/seal/v1/app.tgz']) {
    const { status } = await fetch(`${origin}${path}`, { headers: { accept: 'text/html, */*' } })
    if (status !== 200) throw new Error(`${path}: ${status}`)
  }
  const admin = async (words: string) => {
    const node = ['node_modules/.bin/node', 'packages/gateway/src/admin/main.ts']
    const said = await first.runBeside(inFolder(WorkingDir, [...node, ...words.split(' '), '--json']))
    return JSON.parse(said) as Record<string, string>
  }
  await admin('organization create Acme --owner ann@acme.test')
  const { token } = await admin('enrolment create')
  const { key } = await admin('key create laptop')
  await admin('model enable tiny')
  const device = spawn('bash', ['-ec', DEVICE, 'device', join(WORK, 'device'), origin, token!], { cwd: ROOT })
  const output = watchOutput(device)
  try {
    await output.heard(/tiny: ready/)
    await ask(origin, key!)
    await stop(first)
    await using second = start()
    await isHealthy(second)
    await ask(origin, key!)
    await stop(second)
  } finally {
    device.kill('SIGTERM')
    await output.exited
  }
  return 'builds, is healthy, shows the console, hands out its programs, answers; the same after SIGTERM and a restart'
}

function inFolder(folder: string, words: readonly string[]): string {
  return `cd ${folder} && exec ${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')}`
}

const DEVICE = `
  app="node packages/device/src/main.ts --home $1"
  $app login $2 --token $3 --name outside
  $app models add packages/device/tiny-model/tiny.gguf --as tiny
  exec $app start`

/** The gateway waits for the device to be back. */
async function ask(origin: string, key: string): Promise<void> {
  const response = await fetch(`${origin}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: 'What is the capital of Italy?' }] }),
  })
  if (!response.ok) throw new Error(await response.text())
}

async function stop(gateway: Entered): Promise<void> {
  gateway.end()
  const code = await gateway.exited
  if (code !== 0) throw new Error(`the gateway ended with ${code}:\n${gateway.output()}`)
}
