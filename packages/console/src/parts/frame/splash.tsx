import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'
import { Logo } from './logo.tsx'
import './splash.css'

/** A page outside the shell with one centered card. Empty while the first request is pending. */
export function Splash({ title, children }: { title?: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <main className="splash">
      <Logo />
      {children ?? (
        <p className="unseen" role="status">
          Loading
        </p>
      )}
    </main>
  )
}
