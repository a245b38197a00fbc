import { loadSettingsFile, readSettings, type Environment } from './read-settings.ts'
import { stateFolder } from '../state/folder.ts'
import { addressesToServe } from './added-servers.ts'
import { loadRegistry } from '../models/registry/registry.ts'

/** Whether the app would download the starter model: its owner wants it, and there is nothing else to serve. */
export function wantsStarter(home: string, environment: Environment): boolean {
  const { path, registry, servers } = stateFolder(home)
  const file = loadSettingsFile(path, environment['HEARTH_DEVICE_CONFIG'] || undefined)
  const { settings } = readSettings({ flags: {}, environment, file })
  return settings.starter && addressesToServe(settings, servers).length === 0 && loadRegistry(registry).length === 0
}
