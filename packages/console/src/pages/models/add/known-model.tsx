import type { Shapes } from '../../../api/client.ts'
import { formatBytes, formatContext } from '../../../lib/format.ts'
import { summarizeFit } from './device-fit.ts'

interface KnownModelProps {
  model: Shapes['ListedModel']
  devices: readonly Shapes['Device'][]
  onChoose: () => void
}

/** A well-known model in the list, with the devices that have room for it. */
export function KnownModel({ model, devices, onChoose }: KnownModelProps) {
  const { title, name, goodAt, bytes, license, contextLength, maker } = model
  return (
    <button type="button" className="add-model" onClick={onChoose}>
      <span className="add-model-head">
        <span className="add-model-title">{title}</span>
        <code className="soft small">{name}</code>
        <span className="add-model-size numbers">{formatBytes(bytes)}</span>
      </span>
      <span className="add-model-about">{capitalize(goodAt)}.</span>
      <span className="soft small numbers">
        {maker} · {license.name} · {formatContext(contextLength)} context
      </span>
      <FitLine devices={devices} model={model} />
    </button>
  )
}

/** Longer lists of devices are counted. */
const MOST_NAMED = 3

function FitLine({ devices, model }: Omit<KnownModelProps, 'onChoose'>) {
  const { fits, lacks } = summarizeFit(devices, model)
  if (fits.length === 0 && lacks.length === 0) return null
  return (
    <span className="small add-fit">
      {fits.length > 0 && <span className="add-fits">Fits on {listSome(fits)}</span>}
      {lacks.length > 0 && (
        <span className="soft">
          {fits.length > 0 ? 'Not on ' : 'Fits on no device: '}
          {listSome(lacks)}
        </span>
      )}
    </span>
  )
}

function listSome(devices: readonly string[]): string {
  const rest = devices.length - MOST_NAMED
  return rest <= 0 ? devices.join(', ') : `${devices.slice(0, MOST_NAMED).join(', ')} and ${rest} more devices`
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
