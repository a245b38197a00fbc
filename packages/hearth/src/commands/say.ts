import { withCommandName } from '@hearth/command-line/terminal/command-name'
import { commandToPrint } from '../installed/command-to-print.ts'

/** Prints lines for people, with `hearth` written as their shell finds it. */
export type Say = (text: string) => void

export function sayTo(output: NodeJS.WriteStream): Say {
  const named = withCommandName(output, 'hearth', commandToPrint(process.env))
  return (text) => void named.write(`${text}\n`)
}
