import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { firstTokenText, fitText, speedText } from '@hearth/model-list'
import type { Schemas } from '../../../api/client.ts'
import { formatBytes, formatContext } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { estimateOn, type DeviceMachine } from './device-machine.ts'

type Known = Schemas['ListedModel']

interface ComparisonProps {
  models: readonly Known[]
  machine: DeviceMachine | undefined
  onChoose: (model: Known) => void
  onClear: () => void
}

const CELL = 'py-3.5 pr-5 text-left align-top wrap-anywhere'

/** Two models side by side, on the machine that someone chooses a model for. */
export function ModelComparison({ models, machine, onChoose, onClear }: ComparisonProps) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={ref} className="px-9 pt-5 pb-7.5 border border-line rounded" aria-label="Comparison">
      <table className="text-small w-full border-collapse table-fixed">
        <thead>
          <tr>
            <td className={`${CELL} w-70`}>
              <Button kind="quiet" size="small" icon={X} onClick={onClear} aria-label="Close the comparison" />
            </td>
            {models.map((model) => (
              <th className={CELL} key={model.name} scope="col">
                {model.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(models, machine).map(([label, ...values]) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className={`${CELL} text-soft font-normal`}>
                {label}
              </th>
              {values.map((value, index) => (
                <td key={models[index]?.name} className={`${CELL} tabular-nums`}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
          <tr className="border-t border-line">
            <th scope="row" className={CELL}>
              <span className="sr-only">Your choice</span>
            </th>
            {models.map((model) => (
              <td key={model.name} className={CELL}>
                <Button size="small" onClick={() => onChoose(model)} aria-label={`Choose ${model.title}`}>
                  Choose
                </Button>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function rowsOf(models: readonly Known[], machine: DeviceMachine | undefined): [label: string, ...values: string[]][] {
  const estimates = machine === undefined ? [] : models.map((model) => estimateOn(machine, model))
  const expected = estimates.every(({ speed }) => speed === undefined)
    ? []
    : [
        row('Speed', estimates, (one) => speedText(one) ?? '–'),
        row('First token', estimates, ({ speed }) => (speed === undefined ? '–' : firstTokenText(speed))),
      ]
  return [
    ...expected,
    ...(machine === undefined ? [] : [row(`On ${machine.device.name}`, estimates, ({ fit }) => fitText(fit))]),
    row('Download', models, ({ bytes }) => formatBytes(bytes)),
    row('Context', models, ({ contextLength }) => `${formatContext(contextLength)} tokens`),
    row('Parameters', models, parametersText),
    row('License', models, ({ license }) => license.name),
    row('Good at', models, ({ goodAt }) => goodAt),
  ]
}

function row<Value>(label: string, values: readonly Value[], show: (value: Value) => string): [string, ...string[]] {
  return [label, ...values.map(show)]
}

function parametersText({ parameters, activeParameters }: Known): string {
  const all = `${parameters}B`
  return activeParameters < parameters ? `${all}, ${activeParameters}B for each token` : all
}
