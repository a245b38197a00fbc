import { CircleAlert } from 'lucide-react'
import type { Failure } from '../conversation/turn.ts'

/** An error with the fields that the API returned. */
export function ApiProblem({ failure: { message, code, param, status } }: { failure: Failure }) {
  return (
    <div
      className="flex gap-5 text-bad bg-bad-soft border border-bad-line rounded px-7.5 py-6 [&>svg]:mt-1.5"
      role="alert"
    >
      <CircleAlert size={16} aria-hidden />
      <div className="stack-small">
        <p className="wrap-anywhere [unicode-bidi:isolate]">{message}</p>
        <p className="row text-small">
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
