// The first start of a data folder is done when its panel was shown. Until then a mark lies in the folder: if the start fails or is
// interrupted, the next one is the first again, and shows a key that works.

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FirstStart {
  begin(): void
  isUnfinished(): boolean
  /** Everything was shown. */
  finish(): void
}

export function firstStartOf(dataFolder: string): FirstStart {
  const mark = join(dataFolder, 'first-start-unfinished')
  return {
    begin: () => writeFileSync(mark, '', { mode: 0o600, flush: true }),
    isUnfinished: () => existsSync(mark),
    finish: () => rmSync(mark, { force: true }),
  }
}
