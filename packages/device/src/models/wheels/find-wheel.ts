// Asks pip where a Python package is, without downloading it: the address of its file in the index
// that this machine uses, and its hash.

import { CommandError } from '@hearth/command-line/errors'
import { asFields, asList, parseFields, text, type Fields } from '@hearth/sealing/fields'
import type { RunCommand } from '../../system/run-command.ts'
import { runPip } from './pip.ts'

interface Wheel {
  url: string
  sha256: string
}

const ASK_MS = 2 * 60_000
const ONLY_ASK = ['--dry-run', '--ignore-installed', '--retries=1', '--report=-']

/** Throws CommandError if there is no pip, it is too old, or it can't find the package. */
export async function findWheel(requirement: string, run: RunCommand, signal: AbortSignal): Promise<Wheel> {
  const output = await runPip('install', [...ONLY_ASK, requirement], run, ASK_MS, signal)
  const wheel = readReport(output)
  if (wheel === undefined) throw new CommandError(`Can't find the Python package ${requirement}: pip gave no address`)
  return wheel
}

function readReport(output: string): Wheel | undefined {
  const [found] = asList(parse(output)['install'])
  const download = asFields(asFields(found)['download_info'])
  const url = text(download, 'url')
  const sha256 = text(asFields(asFields(download['archive_info'])['hashes']), 'sha256')
  return url === undefined || sha256 === undefined ? undefined : { url, sha256 }
}

/** Empty if pip printed something else than a report. */
function parse(output: string): Fields {
  return parseFields(output.slice(output.indexOf('{'))) ?? {}
}
