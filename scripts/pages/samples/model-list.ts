// `hearth-device models list` on a device that serves the starter model.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STARTER_MODEL } from '@hearth/model-list'
import { runDevice } from '../../../packages/device/src/commands/program.ts'
import { saveRegistry } from '../../../packages/device/src/models/registry/registry.ts'
import { stateFolder, type StateFolder } from '../../../packages/device/src/state/folder.ts'
import { makeGguf } from '../../../packages/device/src/testing/make-gguf.ts'

const NAME = 'smollm2-135m-instruct'
const LAST_USED_MS = 3 * 60_000

export async function modelList(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'hearth-docs-'))
  try {
    addStarter(stateFolder(home))
    return `$ hearth-device models list\n${await printed(['models', 'list'], home)}`
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Only the head of the model's file is read. */
function addStarter(state: StateFolder): void {
  const path = join(state.path, 'starter.gguf')
  const fields = { 'general.architecture': 'llama', 'llama.context_length': STARTER_MODEL.contextLength }
  writeFileSync(path, makeGguf({ fields }))
  const models = STARTER_MODEL.quantizations.map(({ name: quant, bytes, file }) => {
    return { name: NAME, path, source: 'starter', bytes, quant, ...(file && { sha256: file.sha256 }) }
  })
  saveRegistry(state.registry, models)
  writeFileSync(state.lastUses, JSON.stringify({ [NAME]: new Date(Date.now() - LAST_USED_MS) }))
}

async function printed(words: readonly string[], home: string): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  await runDevice(words, { environment: { HEARTH_DEVICE_HOME: home }, stdout: output, stderr: output })
  return text
}
