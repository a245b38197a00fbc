import { Link } from '@tanstack/react-router'
import { Splash } from '../parts/frame/splash.tsx'

export function NotFound() {
  return (
    <Splash title="Page not found">
      <div className="card card-body stack">
        <h1>Page not found</h1>
        <p className="text-soft">Check the URL. The page may have moved or been removed.</p>
        <Link to="/" className="button button-primary">
          Back to Home
        </Link>
      </div>
    </Splash>
  )
}
