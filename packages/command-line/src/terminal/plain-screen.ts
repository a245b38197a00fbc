// The installer's screen: like the app's, but limited to what an old Node supports.

import type { Level, Output, Screen } from './screen.ts'

const SIGNS: Record<Level, string> = { good: '✓', info: '·', warn: '!', bad: '✗' }
const CLEAR_LINE = '\r\u001B[2K'

export function plainScreen(output: Output): Screen {
  const isTerminal = output.isTTY === true
  const clear = isTerminal ? CLEAR_LINE : ''
  return {
    line: (level, text) => output.write(`${clear}${SIGNS[level]} ${text.replace(/\p{Cc}+/gu, ' ')}\n`),
    live: (text) => isTerminal && output.write(clear + (text ?? '')),
  }
}
