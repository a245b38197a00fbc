// Lists the model files that other programs keep on this machine, for people or as JSON.

import { formatBytes } from '@hearth/command-line/format'
import { formatTable } from '@hearth/command-line/terminal/table'
import { filePlaces, findFiles } from '../../models/found/find-files.ts'
import type { FoundFile } from '../../models/found/found-file.ts'
import { foundReference } from '../../models/pull/source.ts'
import { loadRegistry } from '../../models/registry/registry.ts'
import type { Context } from '../context.ts'

const COLUMNS = ['NAME', 'SIZE', 'QUANT', 'KEPT BY', 'SERVED AS']

export async function listFound({ isJson }: { isJson: boolean }, { state, world, screen }: Context): Promise<void> {
  const entries = loadRegistry(state.registry)
  const servedAs = ({ path }: FoundFile): string | undefined => entries.find((entry) => entry.path === path)?.name
  const files = await findFiles(filePlaces(world.environment))
  if (isJson) {
    const described = files.map((file) => ({ ...file, servedAs: servedAs(file) ?? null }))
    return void world.stdout.write(`${JSON.stringify(described)}\n`)
  }
  if (files.length === 0)
    return screen.line('info', 'Ollama, LM Studio, llama.cpp and Hugging Face keep no GGUF files here')
  const rows = files.map((file) => {
    const { name, bytes, quant = '–', place } = file
    return [name, formatBytes(bytes), quant, place, servedAs(file) ?? '–']
  })
  world.stdout.write(formatTable([COLUMNS, ...rows]))
  const [open] = files.filter((file) => servedAs(file) === undefined)
  if (open !== undefined)
    screen.line(
      'info',
      `To use one in place, without a download: hearth-device models add ${foundReference(open.name)}`,
    )
}
