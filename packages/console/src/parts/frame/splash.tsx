import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'
import { Logo } from './logo.tsx'

/** A page outside the shell with one centered card. Empty while the first request is pending. */
export function Splash({ title, children }: { title?: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <main className="grid content-center justify-items-center gap-15 min-h-dvh bg-ground px-10 py-15 [&>.card]:w-[min(28rem,100%)]">
      <Logo className="text-[1.35rem]" />
      {children ?? (
        <p className="sr-only" role="status">
          Loading
        </p>
      )}
    </main>
  )
}
