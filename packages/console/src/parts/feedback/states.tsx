// Placeholders for pages without data: loading, empty, failed.

import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** Shown until the data arrives. Gray lines of about the same height by default. */
  loading?: ReactNode
  /** Shown instead of the usual error card. */
  failed?: ReactNode
  children: (data: Data) => ReactNode
}

/** Keeps showing the last data if a refresh fails. The shell reports that the gateway is unreachable. */
export function Loaded<Data>({ query, loading = <Skeleton />, failed, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.error) return loading
  return failed === undefined ? <Failed error={query.error} onRetry={() => void query.refetch()} /> : failed
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className="waiting card grid gap-11 px-12.5 py-15" role="status">
      <span className="sr-only">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          key={index}
          className="h-8 bg-line rounded-[5px] motion-safe:animate-breathe"
          style={{ width: `${90 - ((index * 37) % 45)}%` }}
        />
      ))}
    </div>
  )
}

interface EmptyProps {
  icon: LucideIcon
  title: string
  /** Explains what will appear here and how to get it. */
  children: ReactNode
  /** The next step. */
  action?: ReactNode
  /** 1 if it stands for the whole page. */
  level?: 1 | 2
  isBad?: boolean
}

export function Empty({ icon: Icon, title, children, action, level = 2, isBad = false }: EmptyProps) {
  const Heading = `h${level}` as const
  return (
    <div
      className="card grid justify-items-center gap-6 px-15 py-30 text-center [&>h1]:text-heading [&>:is(a,.button,.row)]:mt-6"
      role={isBad ? 'alert' : undefined}
    >
      <span
        className={`grid place-items-center size-30 border rounded-large ${isBad ? 'text-bad bg-bad-soft border-transparent' : 'text-soft bg-sunken border-line'}`}
      >
        <Icon size={22} aria-hidden />
      </span>
      <Heading>{title}</Heading>
      <p className="text-soft max-w-340 text-balance">{children}</p>
      {action}
    </div>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const retry = (
    <Button icon={RotateCw} onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Empty icon={CircleAlert} title="Couldn't load this page" action={retry} isBad>
      {messageOf(error)}
    </Empty>
  )
}

/** An error inside a form or dialog. */
export function Problem({ error }: { error: unknown }) {
  return (
    <p
      className="flex gap-5 text-bad bg-bad-soft border border-bad-line rounded px-7.5 py-6 [&>svg]:mt-1.5"
      role="alert"
    >
      <CircleAlert size={16} aria-hidden />
      <span>{messageOf(error)}</span>
    </p>
  )
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Reload the page.'
}
