import { join } from 'node:path'

/** The last lines of Hearth's parts, in the data folder, for `hearth logs`. */
export function logPath(dataFolder: string): string {
  return join(dataFolder, 'hearth.log')
}
