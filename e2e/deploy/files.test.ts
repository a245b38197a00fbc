// Checks the deployment files against the code: the settings, metrics and paths they use have to exist.

import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '@hearth/gateway/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { listSettings } from '../../packages/gateway/src/config.ts'
import { mostSealedBytes } from '../../packages/gateway/src/chat/prepare-sealed.ts'
import { PACKINGS } from '../../packages/gateway/src/device-app/packing.ts'
import { startGateway } from '../harness/processes/gateway-process.ts'
import { isInstalled } from '../harness/leave-out.ts'
import { removeFolder } from '../harness/remove-folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SETTINGS = new Set(listSettings().map(({ name }) => name))
const LONGEST_SILENCE_S = 240
/** With the setting MAX_BODY_BYTES as it comes. */
const LARGEST_BODY = mostSealedBytes(20 * 1024 * 1024)

interface Resource {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number
        securityContext: { runAsUser: number }
        containers: { env: { name: string }[]; volumeMounts: { name: string; mountPath: string }[] }[]
      }
    }
    volumeClaimTemplates: { metadata: { name: string } }[]
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[]
  }
}

interface Compose {
  services: Record<
    string,
    { environment?: Record<string, string>; stop_grace_period?: string; ulimits?: Record<string, number> }
  >
}

interface Manifest {
  dependencies?: Record<string, string>
}

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[]
}

function read(path: string): string {
  return readFileSync(join(ROOT, 'deploy', path), 'utf8')
}

function readYaml<Value>(path: string): Value[] {
  return parseAllDocuments(read(path), { strict: true }).map((document) => {
    expect(document.errors).toStrictEqual([])
    return document.toJS() as Value
  })
}

function resource(path: string, kind: string): Resource {
  return readYaml<Resource>(`kubernetes/${path}`).find((one) => one.kind === kind)!
}

/** Folders of our packages, and of those that they need, also through others. */
function packagesOf(folders: readonly string[], found = new Set<string>()): Set<string> {
  for (const folder of folders.filter((path) => !found.has(path))) {
    found.add(folder)
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
    const ours = Object.keys(dependencies).filter((name) => name.startsWith('@hearth/'))
    packagesOf(
      ours.map((name) => name.replace('@hearth/', 'packages/')),
      found,
    )
  }
  return found
}

async function measuredNames(): Promise<string[]> {
  const folder = await makeDataFolder()
  const gateway = await startGateway({ DATABASE_URL: `embedded:${folder}`, DRAIN_MS: '1' })
  onTestFinished(async () => {
    await gateway.stop()
    await removeFolder(folder)
  })
  const text = await (await fetch(`${gateway.origin}/metrics`)).text()
  const old = new Set([...text.matchAll(/^# HELP (\S+) Deprecated/gm)].map(([, name]) => name))
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!).filter((name) => !old.has(name))
}

function namesIn(expressions: string[]): string[] {
  const names = expressions.join(' ').matchAll(/\b(?:hearth|process|nodejs)_\w+/g)
  return [...new Set([...names].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')))]
}

describe('the service unit', () => {
  it.runIf(isInstalled('systemd-analyze', '--version', 'deploy/systemd'))('is accepted by systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-unit-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const unit = join(folder, 'hearth-gateway.service')
    // Quoted, because the path of this checkout may have spaces.
    const text = read('systemd/hearth-gateway.service').replaceAll(/(?<=[ =])\/opt\/hearth\/(\S+)/g, `"${ROOT}$1"`)
    writeFileSync(unit, text)
    const said = execFileSync('systemd-analyze', ['verify', '--man=no', unit], { stdio: 'pipe' }).toString()
    expect(said).toBe('')
  })

  it('uses existing settings, and leaves enough time to drain', () => {
    const unit = read('systemd/hearth-gateway.service')
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !SETTINGS.has(name))).toStrictEqual([])
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(120)
  })

  it('writes no core dumps, which would hold prompts and answers', () => {
    expect(read('systemd/hearth-gateway.service')).toMatch(/^LimitCORE=0$/m)
    const [compose] = readYaml<Compose>('compose.yaml')
    expect(compose!.services.gateway!.ulimits).toMatchObject({ core: 0 })
  })
})

describe('the container files', () => {
  it('put every package into the image that the gateway imports or hands out', () => {
    const sources = ['packages/gateway', ...Object.values(PACKINGS).map(({ workspace }) => workspace)]
    const needed = [...packagesOf(sources)]
    expect(needed.length).toBeGreaterThan(sources.length)
    expect(needed.filter((path) => !existsSync(join(ROOT, path, 'package.json')))).toStrictEqual([])
    // What the build may see, all of which goes into the image.
    const seen = read('Dockerfile.dockerignore').trim().split('\n')
    expect(seen.filter((line) => line.startsWith('!'))).toStrictEqual([
      '!.npmrc',
      '!package.json',
      '!package-lock.json',
      // It counts the changes since the last release.
      '!CHANGELOG.md',
      // The programs that it hands out come with them.
      '!LICENSE',
      '!THIRD-PARTY-NOTICES.txt',
      '!packages',
    ])
    expect(seen.filter((line) => !line.startsWith('!'))).toStrictEqual(['*', '**/node_modules'])
    const stages = read('Dockerfile').split(/^FROM /m)
    expect(stages.at(-2)).toMatch(/^COPY \. \.$/m)
    expect(stages.at(-1)).toMatch(/^COPY --from=gateway \/hearth \.$/m)
  })

  // Only the gateway's own image has none: it is built here.
  it('name every image that they fetch by its digest, and a tag by one digest everywhere', () => {
    const files = globSync('**/*{Dockerfile,.yaml}', { cwd: join(ROOT, 'deploy') })
    const images = files.flatMap((path) =>
      [...read(path).matchAll(/^(?:FROM|\s*(?:- )?image:) +(\S+)/gm)].map(([, image = '']) => image),
    )
    const fetched = images.filter((image) => image !== 'hearth-gateway')
    expect(fetched.length).toBeGreaterThan(5)
    expect(fetched.filter((image) => !/^[a-z]+:\d?[\w.-]*@sha256:[0-9a-f]{64}$/.test(image))).toStrictEqual([])
    const names = (part: (image: string) => string) => new Set(fetched.map(part)).size
    expect(names((image) => image.replace(/:.*/, ''))).toBe(names((image) => image))
  })

  it('use existing settings, and run the gateway as an ordinary user', () => {
    const image = read('Dockerfile')
    const names = [...(/^ENV (.+)$/m.exec(image)?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name]) => name!)
    expect(names.filter((name) => !SETTINGS.has(name))).toStrictEqual([])
    const user = /useradd .*--uid (\d+) .*\bhearth\b[\s\S]*^USER hearth$/m.exec(image)?.[1]
    const { securityContext } = resource('gateway.yaml', 'StatefulSet').spec.template.spec
    expect(String(securityContext.runAsUser)).toBe(user)
  })

  it('start the gateway with its database', () => {
    const [compose] = readYaml<Compose>('compose.yaml')
    const { gateway, postgres } = compose!.services
    expect(Object.keys(gateway!.environment!).filter((name) => !SETTINGS.has(name))).toStrictEqual([])
    expect(gateway!.environment!['DATABASE_URL']).toMatch(/^postgres:\/\/hearth:.*@postgres\/hearth$/)
    expect(postgres!.environment).toMatchObject({ POSTGRES_USER: 'hearth', POSTGRES_DB: 'hearth' })
    expect(Number.parseInt(gateway!.stop_grace_period!, 10)).toBeGreaterThan(120)
  })
})

describe('the files for several gateways', () => {
  it('use existing settings and files', () => {
    const [compose] = readYaml<Compose>('compose.scale.yaml')
    const { gateway, nats } = compose!.services
    expect(Object.keys(gateway!.environment!).filter((name) => !SETTINGS.has(name))).toStrictEqual([])
    expect(gateway!.environment!['NATS_URL']).toMatch(/^nats:\/\/hearth:.*@nats:4222$/)
    expect(nats!.environment).toHaveProperty('NATS_PASSWORD')
    for (const file of ['nats/nats.conf', 'caddy/Caddyfile.scale']) expect(read('compose.scale.yaml')).toContain(file)
    expect(read('nats/nats.conf')).toContain('password: $NATS_PASSWORD')
    expect(read('caddy/Caddyfile.scale')).toMatch(/response_header_timeout 300s/)
  })

  it('add several gateways and NATS to the manifests', () => {
    const [{ resources, patches }] = readYaml<{ resources: string[]; patches: { path: string }[] }>(
      'kubernetes-scale/kustomization.yaml',
    ) as [{ resources: string[]; patches: { path: string }[] }]
    const files = globSync('*.yaml', { cwd: join(ROOT, 'deploy/kubernetes-scale') })
    const named = ['kustomization.yaml', ...resources, ...patches.map(({ path }) => path)]
    expect(named.filter((name) => name !== '../kubernetes').toSorted()).toStrictEqual(files.toSorted())
    const [patch] = readYaml<Resource>('kubernetes-scale/gateway-patch.yaml')
    const names = patch!.spec.template.spec.containers[0]!.env.map(({ name }) => name)
    expect(names.filter((name) => !SETTINGS.has(name))).toStrictEqual(['NATS_PASSWORD'])
    // Kubernetes fills in a variable only if it was named before.
    expect(names.indexOf('NATS_PASSWORD')).toBeLessThan(names.indexOf('NATS_URL'))
  })
})

describe('the Kubernetes manifests', () => {
  it('are all part of one kustomization, and valid YAML', () => {
    const [{ resources }] = readYaml<{ resources: string[] }>('kubernetes/kustomization.yaml') as [
      { resources: string[] },
    ]
    const files = globSync('*.yaml', { cwd: join(ROOT, 'deploy/kubernetes') })
    expect(resources.toSorted()).toStrictEqual(files.filter((name) => name !== 'kustomization.yaml').toSorted())
    for (const path of resources) expect(readYaml(`kubernetes/${path}`).length).toBeGreaterThan(0)
  })

  it('use existing settings, and leave enough time to drain', () => {
    const { containers, terminationGracePeriodSeconds } = resource('gateway.yaml', 'StatefulSet').spec.template.spec
    const names = containers[0]!.env.map(({ name }) => name)
    // PostgreSQL's password is part of a setting, and Node takes the other one.
    expect(names.filter((name) => !SETTINGS.has(name))).toStrictEqual(['POSTGRES_PASSWORD', 'NODE_COMPILE_CACHE'])
    expect(terminationGracePeriodSeconds).toBeGreaterThan(125)
  })

  it('keep the usage journal on a disk that outlives the pod', () => {
    const { template, volumeClaimTemplates } = resource('gateway.yaml', 'StatefulSet').spec
    const { name } = template.spec.containers[0]!.volumeMounts.find(({ mountPath }) => mountPath === '/data')!
    expect(volumeClaimTemplates.map(({ metadata }) => metadata.name)).toStrictEqual([name])
  })

  it('pass streams on', () => {
    const { metadata, spec } = resource('ingress.yaml', 'Ingress')
    const option = (name: string) => metadata.annotations![`nginx.ingress.kubernetes.io/${name}`]
    expect(Number(option('proxy-read-timeout'))).toBeGreaterThan(LONGEST_SILENCE_S)
    expect(option('proxy-buffering')).toBe('off')
    const service = resource('gateway.yaml', 'Service').metadata.name
    expect(spec.rules[0]!.http.paths.find(({ path }) => path === '/')!.backend.service.name).toBe(service)
  })
})

describe('the proxy examples', () => {
  it('wait longer than a stream can be silent at its start', () => {
    expect(Number(/proxy_read_timeout (\d+)s;/.exec(read('nginx/hearth.conf'))?.[1])).toBeGreaterThan(LONGEST_SILENCE_S)
    expect(Number(/response_header_timeout (\d+)s/.exec(read('caddy/Caddyfile'))?.[1])).toBeGreaterThan(
      LONGEST_SILENCE_S,
    )
  })

  it('let the largest sealed request through', () => {
    const limits = [
      /client_max_body_size (\d+)m;/.exec(read('nginx/hearth.conf')),
      /proxy-body-size: (\d+)m/.exec(read('kubernetes/ingress.yaml')),
      /max_size (\d+)MiB/.exec(read('caddy/Caddyfile')),
      /max_size (\d+)MiB/.exec(read('caddy/Caddyfile.scale')),
    ].map((found) => Number(found?.[1]) * 1024 * 1024)
    expect(limits.filter((limit) => !(limit > LARGEST_BODY))).toStrictEqual([])
  })
})

describe('dashboard and alerts', () => {
  it('use existing metrics, and the dashboard shows all of them', async () => {
    const measured = await measuredNames()
    const dashboard = JSON.parse(read('grafana/hearth.json')) as Dashboard
    const shown = namesIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(shown.toSorted()).toStrictEqual(measured.toSorted())
    const [{ groups }] = readYaml<{ groups: { rules: { expr: string }[] }[] }>('prometheus/alerts.yaml') as [
      { groups: { rules: { expr: string }[] }[] },
    ]
    const watched = namesIn(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)))
    expect(watched.filter((name) => !measured.includes(name))).toStrictEqual([])
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})
