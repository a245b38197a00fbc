import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import './splash.css'

/** A page outside the shell: one card in the middle. Empty while the first answer is on its way. */
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
