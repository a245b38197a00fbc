// Downloads that someone asked for in the console, as a file: they continue after a restart of the app.

import type { FoundModel } from '@hearth/protocol'
import { count, isFields, readObjectFile, text, type Fields } from '@hearth/command-line/files/fields'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface KeptDownload {
  /** As the person wrote it. */
  reference: string
  found: FoundModel
  by: string
  isPaused: boolean
}

export function saveDownloads(path: string, downloads: readonly KeptDownload[]): void {
  writeJson(path, { downloads })
}

/** A damaged file counts as empty: at worst, someone has to ask again. */
export function loadDownloads(path: string): KeptDownload[] {
  try {
    const list = readObjectFile(path, '')?.['downloads']
    return Array.isArray(list) ? list.filter(isFields).flatMap(readDownload) : []
  } catch {
    return []
  }
}

function readDownload(fields: Fields): KeptDownload[] {
  const reference = text(fields, 'reference')
  const found = isFields(fields['found']) ? readFound(fields['found']) : undefined
  if (reference === undefined || found === undefined) return []
  return [{ reference, found, by: text(fields, 'by') ?? '', isPaused: fields['isPaused'] === true }]
}

function readFound(fields: Fields): FoundModel | undefined {
  const name = text(fields, 'name')
  if (name === undefined) return undefined
  const license = text(fields, 'license')
  return {
    name,
    source: text(fields, 'source') ?? name,
    bytes: count(fields, 'bytes') ?? 0,
    memoryBytes: count(fields, 'memoryBytes') ?? 0,
    ...(license === undefined ? {} : { license }),
  }
}
