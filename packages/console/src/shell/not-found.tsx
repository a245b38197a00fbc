import { Link } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { Empty } from '../parts/states.tsx'
import { Splash } from './splash.tsx'

export function NotFound() {
  return (
    <Splash>
      <Empty
        icon={MapPinOff}
        title="There is no such page"
        action={
          <Link to="/" className="button button-primary">
            Go to Start
          </Link>
        }
      >
        The address may be mistyped, or what it led to is gone.
      </Empty>
    </Splash>
  )
}
