// A program is called by several names: `hearth-device` where it is alone, and `hearth device` where all of Hearth is. Whoever starts it says by
// which, so that every command it advises can be pasted.

import type { Output } from './screen.ts'

/** `command` is the name in the program's own texts. */
export function withCommandName(output: Output, command: string, name: string | undefined): Output {
  if (name === undefined || name === '') return output
  // The command, not the folder `.hearth-device` or the package.
  const mentions = new RegExp(`(?<![\\w./@-])${command}(?=[ \\n]|$)`, 'g')
  return {
    isTTY: output.isTTY === true,
    get columns() {
      return output.columns ?? 0
    },
    write: (text) => output.write(text.replaceAll(mentions, () => name)),
  }
}
