// Prints the events of the running app. Download progress goes to the live line of a terminal; a log gets a line every few seconds.

import type { DeviceNews, PullNews } from '../news.ts'
import { describeDownload, describeNews } from './describe-news.ts'
import type { Screen } from './screen.ts'

const LOG_EVERY_MS = 10_000
const DRAW_EVERY_MS = 100

export function createNewsPrinter(screen: Screen, isTerminal: boolean, now: () => number): (news: DeviceNews) => void {
  const showPull = createPullPrinter(screen, isTerminal, now)
  return (news) => {
    if (news.type === 'pull') return showPull(news.news)
    const line = describeNews(news)
    return line === undefined ? undefined : screen.line(line.level, line.text)
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
