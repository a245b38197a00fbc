import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Splash } from '../parts/splash.tsx'

export function NotFound() {
  useEffect(() => {
    document.title = 'No such page · Hearth'
  }, [])
  return (
    <Splash>
      <div className="card card-body stack">
        <h1>There is no such page</h1>
        <p className="soft">The address may be mistyped, or what it led to is gone.</p>
        <Link to="/" className="button button-primary">
          Go to Start
        </Link>
      </div>
    </Splash>
  )
}
