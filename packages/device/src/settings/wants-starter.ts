import { loadSettingsFile, readSettings, type Environment } from './read-settings.ts'
import { stateFolder } from '../state/folder.ts'
import { loadRegistry } from '../models/registry/registry.ts'

/** Whether the app would download the starter model: its owner wants it, and there is nothing else to serve. */
export function wantsStarter(home: string, environment: Environment): boolean {
  const { path, registry } = stateFolder(home)
  const file = loadSettingsFile(path, environment['HEARTH_DEVICE_CONFIG'] || undefined)
  const { starter, upstream } = readSettings({ flags: {}, environment, file }).settings
  return starter && upstream.length === 0 && loadRegistry(registry).length === 0
}
