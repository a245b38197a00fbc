// Finds out which part of a file a response contains, and how long the whole file is.

export interface FileRange {
  startBytes: number
  /** Just after the last byte of the part; absent if that is the end of the file. */
  endBytes?: number
  totalBytes: number | undefined
}

/** Undefined if the response contradicts itself. */
export function readRange(response: Response): FileRange | undefined {
  if (response.status === 206) {
    const [, start, last, total] =
      /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? []
    if (start === undefined) return undefined
    const part = { startBytes: Number(start), endBytes: Number(last) + 1 }
    return { ...part, totalBytes: total === '*' ? undefined : Number(total) }
  }
  const length = response.headers.get('content-length')
  // The length of a compressed body is not the length of the file.
  const isPlain = (response.headers.get('content-encoding') ?? 'identity') === 'identity'
  return { startBytes: 0, totalBytes: length !== null && isPlain && /^\d+$/.test(length) ? Number(length) : undefined }
}
