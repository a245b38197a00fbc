// Tells models that can chat from the other kinds of GGUF files.

import { CommandError } from '@hearth/command-line/errors'
import type { GgufHeader } from '../gguf/gguf-header.ts'

const NOT_CHAT = new Set(['adapter', 'mmproj', 'clip', 'bert', 'nomic-bert', 'jina-bert-v2', 't5encoder', 'imatrix'])

export function requireChat({ kind, architecture }: GgufHeader, path: string): void {
  const what = [kind, architecture].find((word) => NOT_CHAT.has(word))
  if (what !== undefined)
    throw new CommandError(`Can't serve ${path}: a "${what}" model can't chat`, 'look for an instruct or chat model')
}
