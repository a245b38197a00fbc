import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import './splash.css'

/** A page outside the shell with one centered card. Empty while the first request is pending. */
export function Splash({ children }: { children?: ReactNode }) {
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
