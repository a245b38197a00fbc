// Starts the first process that renders before anybody knows what it will render: starting takes longer than everything else about a small
// model, and happens while the model is loaded.

import { RenderProcess } from './render-process.ts'
import type { StartProcess } from './renderer.ts'

export function withSpareProcess(create: () => RenderProcess = () => new RenderProcess()): StartProcess {
  let spare: RenderProcess | undefined = create()
  return (templates) => {
    const process = spare === undefined || spare.hasEnded ? create() : spare
    spare = undefined
    return process.open(templates)
  }
}
