// The app is called by several names: `hearth-device`, `hearth` beside it, and `npx hearth device` in a checkout. Whoever starts it says by
// which, so that every command it advises can be pasted.

import type { Output } from './screen.ts'

/** The command, not the folder `.hearth-device` or the package. */
const COMMAND = /(?<![\w./@-])hearth-device(?=[ \n]|$)/g

export function withCommandName(output: Output, name: string | undefined): Output {
  if (name === undefined || name === '') return output
  return {
    isTTY: output.isTTY === true,
    get columns() {
      return output.columns ?? 0
    },
    write: (text) => output.write(text.replaceAll(COMMAND, name)),
  }
}
