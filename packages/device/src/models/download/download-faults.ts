// Why a download ends before its end, and whether it is worth another try.

import { basename } from 'node:path'
import { plainSource } from '@hearth/protocol'
import { CommandError, describeError, StorageError } from '@hearth/command-line/errors'

/** Worth retrying: the network failed, not the request. */
export class BrokenDownload extends Error {
  override name = 'BrokenDownload'
}

/** Not a file that should be kept: it is too long, or something else than was asked for. */
export class UnwantedFile extends CommandError {
  override name = 'UnwantedFile'
}

/** `explain` says why the server rejects the request. */
export function rejection(
  response: Response,
  { url, explain }: { url: string; explain?: (response: Response) => CommandError },
): Error {
  const { status } = response
  if (status === 408 || status === 429 || status >= 500)
    return new BrokenDownload(`the server returned status ${status}`)
  if (explain !== undefined) return explain(response)
  if (status === 401 || status === 403)
    return new CommandError(
      `Can't download from ${hostOf(url)}: it requires a login (status ${status})`,
      'for Hugging Face models, set HF_TOKEN',
    )
  return new CommandError(
    `Can't download ${plainSource(url)}: the server returned status ${status}`,
    'check the address',
  )
}

export function nameFailure(error: unknown, { target }: { target: string }): unknown {
  if (error instanceof CommandError || error instanceof BrokenDownload) return error
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageError(
      `Can't write ${basename(target)}: the disk is full`,
      'free up space and run the command again to continue where it stopped',
    )
  if (code === 'EACCES' || code === 'EROFS')
    return new StorageError(
      `Can't write ${basename(target)}: ${code}`,
      'check who may write to the folder of the models',
    )
  return new BrokenDownload(describeError(error))
}

export function hostOf(url: string): string {
  return new URL(url).host
}
