// Monthly budgets: what is used of them, and the field that sets one.

import type { Schemas } from '../api/client.ts'
import { formatCount, formatShort } from '../lib/format.ts'
import { Meter } from '../parts/chart/meter.tsx'
import { TextField } from '../parts/control/field.tsx'
import { useRead } from './use-read.ts'

type Budget = Schemas['Budget']

/** Undefined if there is none. */
export function useBudget(holder: Budget['holder'], id: string): Budget | undefined {
  return useRead('/budgets').data?.budgets.find((budget) => budget.holder === holder && budget.id === id)
}

/** "1.2M of 2M tokens this month", with a bar. */
export function BudgetLine({ budget: { used, tokens } }: { budget: Budget }) {
  const isOver = used >= tokens
  return (
    <span className={`grid gap-3 max-w-240 ${isOver ? 'text-warn' : ''}`}>
      <span className="tabular-nums" title={`${formatCount(used)} of ${formatCount(tokens)} tokens`}>
        {formatShort(used)} of {formatShort(tokens)} tokens this month
      </span>
      <Meter label="Budget used" value={Math.min(used, tokens)} most={tokens} color={isOver ? 'bg-warn' : undefined} />
    </span>
  )
}

interface BudgetFieldProps {
  /** As it is in the field. Empty means no budget. */
  value: string
  onText: (text: string) => void
  hint?: string
}

export function BudgetField(props: BudgetFieldProps) {
  const bounds = { min: 1, max: 1_000_000_000_000, step: 1 }
  return (
    <TextField
      label="Tokens per month"
      type="number"
      inputMode="numeric"
      placeholder="no limit"
      {...bounds}
      {...props}
    />
  )
}

export function toField(tokens: number | null): string {
  return tokens === null ? '' : String(tokens)
}

export function fromField(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
