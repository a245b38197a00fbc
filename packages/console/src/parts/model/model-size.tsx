import { formatContext } from '../../lib/format.ts'
import { Badge } from '../text/badge.tsx'
import { Name } from '../text/name.tsx'

interface Sized {
  contextLength: number
  sizing: { trainedLength: number; gpuLayers: number; layers: number; why: string } | null
}

/** 8K of 128K context · 20 of 33 layers on the GPU */
export function describeSize({ contextLength, sizing }: Sized): string {
  if (sizing === null) return `${formatContext(contextLength)} context`
  const cut = contextLength < sizing.trainedLength ? ` of ${formatContext(sizing.trainedLength)}` : ''
  const layers = sizing.gpuLayers === 0 ? 'on the CPU' : `${sizing.gpuLayers} of ${sizing.layers} layers on the GPU`
  return `${formatContext(contextLength)}${cut} context · ${layers}`
}

/** A device gives the model less context than it could have. */
export function isContextCut({ contextLength, sizing }: Sized): boolean {
  return sizing !== null && contextLength < sizing.trainedLength
}

/** Says why a device gives a model less context than it could have. */
export function ContextCut({ model }: { model: Sized }) {
  const { sizing } = model
  if (sizing === null || !isContextCut(model)) return null
  return (
    <span className="row text-small">
      <Badge tone="warn">Context cut</Badge>
      <span className="text-soft">
        <Name text={sizing.why} />
      </span>
    </span>
  )
}
