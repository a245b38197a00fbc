// llama.cpp's renderer of chat templates. It needs neither a model nor a back end, so a process that only renders opens the library's file
// and nothing else. A template that runs in native code can't be stopped except with its process.

import { createRequire } from 'node:module'
import { EngineError } from '../../engine.ts'

/** Throws if the template can't be parsed; the returned function throws if it can't be rendered. */
export type CompileTemplate = (template: string) => (variables: Record<string, unknown>) => string

interface JinjaBindings {
  AddonJinjaRenderer: new (template: string) => { render(variables: Record<string, unknown>): string }
}

const FILE = 'llama-addon.node'

/** The library's file, once it is open in this process: only the library knows which one suits the machine. */
export function findAddon(): string {
  const report = process.report.getReport() as { sharedObjects?: readonly string[] }
  const path = report.sharedObjects?.find((file) => file.endsWith(FILE))
  if (path === undefined) throw unusable()
  return path
}

export function openJinja(addon: string): CompileTemplate {
  const { AddonJinjaRenderer } = createRequire(import.meta.url)(addon) as Partial<JinjaBindings>
  if (AddonJinjaRenderer === undefined) throw unusable()
  return (template) => {
    const renderer = new AddonJinjaRenderer(template)
    return (variables) => renderer.render(variables)
  }
}

function unusable(): EngineError {
  return new EngineError(
    'failed',
    `Can't use the installed node-llama-cpp: its ${FILE} can't render templates; install the version that this app requires`,
  )
}
