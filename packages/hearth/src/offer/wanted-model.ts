// The model that someone asked for with a key press, as a file in the data folder until it is there: the next start continues its download.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recallNotes } from '@hearth/command-line/files/notes'

export interface WantedModel {
  /** The name to pull it by. */
  name: string
  title: string
}

export interface WantedFile {
  read(): WantedModel | undefined
  write(model: WantedModel): void
  remove(): void
}

export function wantedFileOf(dataFolder: string): WantedFile {
  const path = join(dataFolder, 'wanted-model.json')
  return {
    /** A damaged one counts as none: at worst, someone has to press the key again. */
    read() {
      const { name, title } = recallNotes(path)
      return typeof name === 'string' && typeof title === 'string' ? { name, title } : undefined
    },
    write: ({ name, title }) => writeFileSync(path, JSON.stringify({ name, title }), { mode: 0o600, flush: true }),
    remove: () => rmSync(path, { force: true }),
  }
}
