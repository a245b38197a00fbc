// Prints the events of the running app. Download progress goes to the live line of a terminal; a log gets a line every few seconds.

import type { DeviceNews, ModelState, PullNews } from '../news.ts'
import { describeDownload, describeNews } from './describe-news.ts'
import type { Screen } from '@hearth/command-line/terminal/screen'

const LOG_EVERY_MS = 10_000
const DRAW_EVERY_MS = 100

export function createNewsPrinter(screen: Screen, isTerminal: boolean, now: () => number): (news: DeviceNews) => void {
  const showPull = createPullPrinter(screen, isTerminal, now)
  const isRepeated = createRepeatFilter()
  return (news) => {
    if (news.type === 'pull') return showPull(news.news)
    if (news.type === 'model' && isRepeated(news.name, news.state)) return undefined
    const line = describeNews(news)
    return line === undefined ? undefined : screen.line(line.level, line.text)
  }
}

/** A model that fails again and again for the same reason is reported once: the first line says that the app keeps trying. */
function createRepeatFilter(): (model: string, state: ModelState) => boolean {
  const failures = new Map<string, string>()
  return (model, state) => {
    const last = failures.get(model)
    if (state.name === 'loading') return last !== undefined
    if (state.name === 'failed') failures.set(model, state.why)
    else failures.delete(model)
    return state.name === 'failed' && state.why === last
  }
}

export function createPullPrinter(screen: Screen, isTerminal: boolean, now: () => number): (news: PullNews) => void {
  const everyMs = isTerminal ? DRAW_EVERY_MS : LOG_EVERY_MS
  let shownAt = Number.NEGATIVE_INFINITY
  return (news) => {
    if (news.type !== 'progress') {
      screen.live(undefined)
      return screen.line(news.type === 'notice' ? 'warn' : 'info', news.text)
    }
    if (now() - shownAt < everyMs) return undefined
    shownAt = now()
    const text = `${news.label}: ${describeDownload(news.progress)}`
    return isTerminal ? screen.live(`  ${text}`) : screen.line('info', text)
  }
}
