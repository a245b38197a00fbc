// The steps of a download as lines of JSON, for programs that start it: the events themselves, and one when the model is ready.

import type { ModelEntry } from '../models/registry/registry.ts'
import type { PullNews } from '../news.ts'
import type { Output } from '@hearth/command-line/terminal/screen'

export type PullLine = PullNews | ({ type: 'ready' } & ReadyModel)

export type ReadyModel = Pick<ModelEntry, 'name' | 'bytes' | 'quant'>

export interface PullPrinter {
  news: (news: PullNews) => void
  ready: (model: ReadyModel) => void
}

/** Progress is for someone who watches. */
const PROGRESS_EVERY_MS = 500

export function createJsonPullPrinter(output: Output, now: () => number): PullPrinter {
  let shownAt = Number.NEGATIVE_INFINITY
  const print = (line: PullLine): void => void output.write(`${JSON.stringify(line)}\n`)
  return {
    news(news) {
      if (news.type === 'progress' && now() - shownAt < PROGRESS_EVERY_MS) return
      if (news.type === 'progress') shownAt = now()
      print(news)
    },
    ready: ({ name, bytes, quant }) => print({ type: 'ready', name, bytes, ...(quant !== undefined && { quant }) }),
  }
}

/** Undefined for other output, such as an error, and for a line that was cut when the program was stopped. */
export function readPullLine(line: string): PullLine | undefined {
  if (!line.startsWith('{"type":')) return undefined
  try {
    return JSON.parse(line) as PullLine
  } catch {
    return undefined
  }
}
