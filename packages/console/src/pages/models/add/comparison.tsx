import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { firstTokenText, fitText, speedText, type Estimate } from '@hearth/model-list'
import type { Shapes } from '../../../api/client.ts'
import { formatBytes, formatContext } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { estimateOn, type DeviceMachine } from './device-machine.ts'

type Known = Shapes['ListedModel']

interface ComparisonProps {
  models: readonly Known[]
  machine: DeviceMachine | undefined
  onChoose: (model: Known) => void
  onClear: () => void
}

/** Two models side by side, on the machine that someone chooses a model for. */
export function Comparison({ models, machine, onChoose, onClear }: ComparisonProps) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={ref} className="add-comparison" aria-label="Comparison">
      <table className="small">
        <thead>
          <tr>
            <td>
              <Button kind="quiet" size="small" icon={X} onClick={onClear} aria-label="Close the comparison" />
            </td>
            {models.map((model) => (
              <th key={model.name} scope="col">
                {model.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(models, machine).map(([label, ...values]) => (
            <tr key={label}>
              <th scope="row" className="soft">
                {label}
              </th>
              {values.map((value, index) => (
                <td key={models[index]?.name} className="numbers">
                  {value}
                </td>
              ))}
            </tr>
          ))}
          <ChooseRow models={models} onChoose={onChoose} />
        </tbody>
      </table>
    </section>
  )
}

function ChooseRow({ models, onChoose }: Pick<ComparisonProps, 'models' | 'onChoose'>) {
  return (
    <tr>
      <th scope="row">
        <span className="unseen">Your choice</span>
      </th>
      {models.map((model) => (
        <td key={model.name}>
          <Button size="small" onClick={() => onChoose(model)} aria-label={`Choose ${model.title}`}>
            Choose
          </Button>
        </td>
      ))}
    </tr>
  )
}

function rowsOf(models: readonly Known[], machine: DeviceMachine | undefined): [label: string, ...values: string[]][] {
  const estimates = machine === undefined ? [] : models.map((model) => estimateOn(machine, model))
  const expected = estimates.every(({ speed }) => speed === undefined)
    ? []
    : [row('Speed', estimates, (one) => speedText(one) ?? '–'), row('First token', estimates, firstToken)]
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

function firstToken({ speed }: Estimate): string {
  return speed === undefined ? '–' : firstTokenText(speed)
}

function parametersText({ parameters, activeParameters }: Known): string {
  const all = `${parameters}B`
  return activeParameters < parameters ? `${all}, ${activeParameters}B for each token` : all
}
