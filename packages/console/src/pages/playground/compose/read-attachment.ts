// Reads a file that goes into the prompt as text. Nothing is uploaded: the text travels in the request.

import { formatBytes } from '../../../lib/format.ts'
import type { Attachment } from '../conversation/turn.ts'

export const MAX_FILES = 5
/** About 50,000 tokens, which is more than most models take. */
const MAX_BYTES = 200_000

/** Throws an error that says what is wrong with the file. */
export async function readAttachment(file: File, id: number): Promise<Attachment> {
  if (file.size > MAX_BYTES)
    throw new Error(`${file.name} is too large: ${formatBytes(file.size)}. The limit is ${formatBytes(MAX_BYTES)}.`)
  return { id, name: file.name, size: file.size, text: decode(file.name, await file.arrayBuffer()) }
}

function decode(name: string, bytes: ArrayBuffer): string {
  const text = decodeOrNothing(bytes)
  if (text === undefined || text.includes('\0'))
    throw new Error(`${name} is not a text file. You can attach plain text, Markdown, code, CSV or JSON.`)
  if (text.trim() === '') throw new Error(`${name} is empty.`)
  return text.replaceAll('\r\n', '\n')
}

function decodeOrNothing(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
