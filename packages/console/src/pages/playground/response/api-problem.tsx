import { CircleAlert } from 'lucide-react'
import type { ApiFailure } from '../../../api/client.ts'

/** An error with the fields that the API returned. */
export function ApiProblem({ failure: { message, code, param, status } }: { failure: ApiFailure }) {
  return (
    <div className="problem" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="stack-small">
        <p className="api-message">{message}</p>
        <p className="row small">
          {status >= 400 && (
            <span>
              status <code>{status}</code>
            </span>
          )}
          <span>
            code <code>{code}</code>
          </span>
          {param !== null && (
            <span>
              param <code>{param}</code>
            </span>
          )}
        </p>
      </div>
    </div>
  )
}
