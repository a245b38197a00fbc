// The names that models are served under.

import { CommandError } from '@hearth/command-line/errors'
import { groupName } from '../hub/file-groups.ts'

/** People type names, and requests contain them, so they are limited to plain characters. Throws CommandError. */
export function checkName(name: string): string {
  if (isName(name)) return name
  throw new CommandError(
    `Invalid model name "${name}"`,
    'use up to 128 letters, digits and . _ - : / @ +, starting with a letter, a digit or _',
  )
}

export function isName(name: string): boolean {
  return /^[\w][\w.:/@+-]{0,127}$/.test(name)
}

/** The name for a file of this name, or of any part of the model. */
export function fileName(name: string): string {
  const plain = groupName(name).replace(/\.gguf$/i, '')
  return plain.replace(/[^\w.:@+-]+/g, '-') || 'model'
}
