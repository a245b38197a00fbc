// The package.json of the device app that the gateway distributes: exact versions, the Node it runs on, and no GPU packages, which the app
// downloads itself on machines that have a GPU.

export interface Manifest {
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides?: Record<string, unknown>
}

const PINNED_NODE = /^node-(bin-)?(linux|darwin|win)-/
/** Our own packages are part of the app. */
const OURS = /^@hearth\//

export function appManifest(root: Manifest, device: Manifest) {
  const dependencies = keep(device.dependencies ?? {}, (name) => !OURS.test(name))
  return {
    name: 'hearth-device',
    version: device.version,
    description: 'Hearth device app: lets this machine answer requests of your organization',
    license: root.license ?? 'MIT',
    type: 'module',
    bin: { 'hearth-device': 'launcher/hearth-device.cjs' },
    dependencies,
    optionalDependencies: keep(root.optionalDependencies ?? {}, (name) => PINNED_NODE.test(name)),
    overrides: keep(root.overrides ?? {}, (name) => Object.hasOwn(dependencies, name)),
  }
}

export function installerManifest(version: string) {
  return {
    name: 'hearth-device-installer',
    version,
    description: 'Installs the Hearth device app from a gateway',
    license: 'MIT',
    type: 'module',
    bin: { 'hearth-device-install': 'launcher/hearth-device-install.cjs' },
  }
}

function keep<Value>(record: Record<string, Value>, isWanted: (name: string) => boolean): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)))
}
